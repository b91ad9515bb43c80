/** A source to test against, and clocks moved by hand. */
@NullMarked
package io.hooktally.reconcile.testing;

import org.jspecify.annotations.NullMarked;
