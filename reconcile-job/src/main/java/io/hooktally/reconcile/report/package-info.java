/** What a run says to people. */
@NullMarked
package io.hooktally.reconcile.report;

import org.jspecify.annotations.NullMarked;
