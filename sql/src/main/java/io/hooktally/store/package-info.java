/** The database: migrations, and every query. */
@NullMarked
package io.hooktally.store;

import org.jspecify.annotations.NullMarked;
