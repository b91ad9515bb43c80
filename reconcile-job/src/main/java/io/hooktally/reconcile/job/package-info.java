/** The daily start of runs. */
@NullMarked
package io.hooktally.reconcile.job;

import org.jspecify.annotations.NullMarked;
