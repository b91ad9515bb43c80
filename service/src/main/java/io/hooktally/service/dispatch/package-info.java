/**
 * The dispatcher: hands inbox events to the replica, in order per key, with retries and parking.
 */
@NullMarked
package io.hooktally.service.dispatch;

import org.jspecify.annotations.NullMarked;
