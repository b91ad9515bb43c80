/** Runs in processes of their own, killed and stopped in the middle. */
@NullMarked
package io.hooktally.reconcile.kill;

import org.jspecify.annotations.NullMarked;
