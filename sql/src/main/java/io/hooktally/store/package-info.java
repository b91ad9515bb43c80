/**
 * The database: how Hooktally finds, starts, checks and migrates its PostgreSQL.
 *
 * <p>{@link io.hooktally.store.EmbeddedDatabase} runs a PostgreSQL of its own, {@link
 * io.hooktally.store.Database} is a pool of connections to whichever PostgreSQL is used, {@link
 * io.hooktally.store.Migrations} brings the schema up to date.
 */
@NullMarked
package io.hooktally.store;

import org.jspecify.annotations.NullMarked;
