package io.hooktally.reconcile.source;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** A list walked until it is proven complete; twice where its total disagrees with its rows. */
final class Listing {
  private final Pages pages;
  private final Instant from;

  Listing(Pages pages, Instant from) {
    this.pages = pages;
    this.from = from;
  }

  Listed read(Consumer<List<ListedRow>> sink) {
    ListingWalk.End end = new ListingWalk(pages, from, sink).walk();
    if (end.agreesWithTotal()) {
      return new Listed(end.delivered(), pages.fetched(), 1);
    }
    if (end.ids().count() == 0) {
      throw pages.incomplete("it shows no row and a total that is not zero");
    }
    ListingWalk.End again = new ListingWalk(pages, from, rows -> {}).walk();
    if (!again.ids().equals(end.ids())) {
      throw pages.incomplete(
          "its total disagrees with its rows, and a second pass found other rows ("
              + end.ids().count()
              + ", then "
              + again.ids().count()
              + ")");
    }
    return new Listed(end.delivered(), pages.fetched(), 2);
  }
}
