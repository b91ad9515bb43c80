/** The application port: takes deliveries in, verifies them, stores them, then answers. */
@NullMarked
package io.hooktally.service.receive;

import org.jspecify.annotations.NullMarked;
