/**
 * The replica, our copy of the source's entities, and apply: the only code that writes it. One
 * version rule decides there, whatever the lane.
 */
@NullMarked
package io.hooktally.store.replica;

import org.jspecify.annotations.NullMarked;
