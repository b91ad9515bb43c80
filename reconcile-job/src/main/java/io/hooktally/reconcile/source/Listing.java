package io.hooktally.reconcile.source;

import java.util.List;
import java.util.function.Consumer;

/** A list walked until it is proven complete; twice where its total disagrees with its rows. */
final class Listing {
  private final Pages pages;
  private final ListRequest request;

  Listing(Pages pages, ListRequest request) {
    this.pages = pages;
    this.request = request;
  }

  Listed read(Consumer<List<ListedRow>> sink) {
    ListingWalk.End end = new ListingWalk(pages, request, sink).walk();
    if (end.agreesWithTotal()) {
      return new Listed(end.delivered(), pages.fetched(), 1);
    }
    if (end.ids().count() == 0) {
      throw pages.incomplete("it shows no row and a total that is not zero");
    }
    // What came on top since is no concern of the first pass; what it handed on must be the same.
    ListingWalk.End again = new ListingWalk(pages, request, rows -> {}, end.newest()).walk();
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
