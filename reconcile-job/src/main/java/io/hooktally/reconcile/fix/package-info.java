/** From suspicion to fix: confirming on both sides, holding back, fixing, looking back. */
@NullMarked
package io.hooktally.reconcile.fix;

import org.jspecify.annotations.NullMarked;
