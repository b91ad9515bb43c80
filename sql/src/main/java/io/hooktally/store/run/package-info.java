/** Runs of the repair way, what each found, and how far they vouch for the replica. */
@NullMarked
package io.hooktally.store.run;

import org.jspecify.annotations.NullMarked;
