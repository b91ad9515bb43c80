/** What reconciliation costs, beside a plain client that only downloads and parses. */
@NullMarked
package io.hooktally.reconcile.benchmark;

import org.jspecify.annotations.NullMarked;
