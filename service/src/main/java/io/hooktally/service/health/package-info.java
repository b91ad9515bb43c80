/** Whether the service can do its work, and why not. */
@NullMarked
package io.hooktally.service.health;

import org.jspecify.annotations.NullMarked;
