/**
 * Events on their way from the inbox to consumers: keyed in the order they came, claimed per key,
 * done, waiting or parked.
 */
@NullMarked
package io.hooktally.store.dispatch;

import org.jspecify.annotations.NullMarked;
