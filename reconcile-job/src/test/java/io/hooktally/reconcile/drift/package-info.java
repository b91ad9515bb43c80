/** Days of a source, drawn from a seed, with known faults put in: what a run must say of each. */
@NullMarked
package io.hooktally.reconcile.drift;

import org.jspecify.annotations.NullMarked;
