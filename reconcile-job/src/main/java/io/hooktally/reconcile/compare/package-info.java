/** Whether two bodies of one entity say the same. */
@NullMarked
package io.hooktally.reconcile.compare;

import org.jspecify.annotations.NullMarked;
