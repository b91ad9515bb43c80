/** Sends alerts: to the log, and to a URL until it has taken them. */
@NullMarked
package io.hooktally.service.alert;

import org.jspecify.annotations.NullMarked;
