/** What tests of every module need from the database. */
@NullMarked
package io.hooktally.store.testing;

import org.jspecify.annotations.NullMarked;
