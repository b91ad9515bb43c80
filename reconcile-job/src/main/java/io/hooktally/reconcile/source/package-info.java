/** The source's side: its configuration, its times, and the client that reads its API. */
@NullMarked
package io.hooktally.reconcile.source;

import org.jspecify.annotations.NullMarked;
