/** What operators ask: runs and their reports, as JSON under /api. */
@NullMarked
package io.hooktally.service.api;

import org.jspecify.annotations.NullMarked;
