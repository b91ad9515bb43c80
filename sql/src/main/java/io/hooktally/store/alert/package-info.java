/** The outbox of alerts. */
@NullMarked
package io.hooktally.store.alert;

import org.jspecify.annotations.NullMarked;
