/** The commands. */
@NullMarked
package io.hooktally.service.cli;

import org.jspecify.annotations.NullMarked;
