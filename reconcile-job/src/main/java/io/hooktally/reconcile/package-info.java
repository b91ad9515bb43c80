/** The repair way: reads the source, compares, fixes and reports. */
@NullMarked
package io.hooktally.reconcile;

import org.jspecify.annotations.NullMarked;
