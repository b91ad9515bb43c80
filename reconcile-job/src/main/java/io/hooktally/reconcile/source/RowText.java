package io.hooktally.reconcile.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.Json;

/**
 * A row of a list as it came: a part of its page, in UTF-8, which has been read once and is JSON.
 * What agrees with the replica needs no tree. Nobody may write to the bytes, which are not copied.
 */
public final class RowText {
  private final byte[] page;
  private final int from;
  private final int to;

  /** The bytes of {@code page} in [from, to). */
  public RowText(byte[] page, int from, int to) {
    this.page = page;
    this.from = from;
    this.to = to;
  }

  /** The page's bytes, of which {@link #from} to {@link #to} are the row. */
  public byte[] page() {
    return page;
  }

  /** Where the row begins. */
  public int from() {
    return from;
  }

  /** Where the row ends: the index of the first byte that is no part of it. */
  public int to() {
    return to;
  }

  /** The row as a tree, built anew at each call. */
  public JsonNode tree() {
    return Json.parse(page, from, to);
  }
}
