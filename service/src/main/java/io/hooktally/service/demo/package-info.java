/** A simulated platform, and the day that the demo plays on it. */
@NullMarked
package io.hooktally.service.demo;

import org.jspecify.annotations.NullMarked;
