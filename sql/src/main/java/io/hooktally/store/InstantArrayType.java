package io.hooktally.store;

import java.time.Instant;
import org.jdbi.v3.core.array.SqlArrayType;
import org.jspecify.annotations.Nullable;

/** Binds a list of instants as {@code timestamptz[]}; PostgreSQL rounds to microseconds. */
final class InstantArrayType implements SqlArrayType<Instant> {
  @Override
  public String getTypeName() {
    return "timestamptz";
  }

  @Override
  public @Nullable Object convertArrayElement(@Nullable Instant element) {
    return element == null ? null : element.toString();
  }
}
