/** The inbox: processed ids and raw payloads, each batch in one transaction. */
@NullMarked
package io.hooktally.store.inbox;

import org.jspecify.annotations.NullMarked;
