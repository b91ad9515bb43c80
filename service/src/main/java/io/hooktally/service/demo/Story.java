package io.hooktally.service.demo;

import io.hooktally.store.run.Difference;
import io.hooktally.store.run.Disagreement;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells a newcomer what happens on the demo's day. */
public final class Story {
  private static final int EXAMPLES_PER_KIND = 2;
  private static final Set<String> TELLING = Set.of("/grand_total", "/status", "/on_hold");

  private final PrintStream out;

  /** Told to {@code out}. */
  public Story(PrintStream out) {
    this.out = out;
  }

  void begins(long seed, int orders, LocalDate day) {
    out.printf(
        Locale.ROOT, "Hooktally demo: one day of a shop, played in seconds (seed %d)%n", seed);
    say("");
    out.printf(
        Locale.ROOT, "A simulated platform sells on %s: %,d orders, from%n", words(day), orders);
    say("placed to completed. Its webhooks go to a real Hooktally on this machine, over HTTP,");
    say("signed. A PostgreSQL is being started for it in a temporary folder ...");
    say("");
  }

  void played(Traffic traffic, DayPlan plan, int meddled) {
    say("The day, as the platform's sender handled it:");
    say("");
    count(plan.events(), "events", "one for each change of an order");
    count(traffic.sent(), "sent", "and taken in: committed first, then answered");
    count(plan.lost(), "lost", "for good: no retry is left, they will never come");
    count(traffic.duplicates(), "duplicates", "the same event delivered again: stored once");
    count(traffic.overtaken(), "overtaken", "arrived after a younger event of their order");
    count(plan.deleted().size(), "deletions", "of orders, for which there is no event at all");
    count(meddled, "rows", "changed in our database, behind Hooktally's back");
    say("");
  }

  void believed(Sums truth, Sums ours) {
    say("With webhooks alone, tonight's report would be wrong, and nobody would know:");
    say("");
    out.printf(Locale.ROOT, "  %-22s %8s %20s%n", "", "orders", "sum of grand_total");
    sums("the platform says", truth);
    sums("our store says", ours);
    out.printf(
        Locale.ROOT,
        "  %-22s %+8d %+,20.4f%n",
        "off by",
        ours.orders() - truth.orders(),
        ours.grandTotal().subtract(truth.grandTotal()));
    say("");
    say("So Hooktally re-reads the day from the platform's API, compares order by order, looks");
    say("twice before it believes, and fixes ...");
    say("");
  }

  void reconciled(DemoResult result, List<Disagreement> rows) {
    out.printf(Locale.ROOT, "  %-11s %9s %7s%n", "kind", "injected", "found");
    for (Kind kind : Kind.values()) {
      out.printf(
          Locale.ROOT,
          "  %-11s %9d %7d   %s%n",
          kind.text(),
          DemoResult.count(result.injected(), kind),
          DemoResult.count(result.found(), kind),
          kind.meaning());
    }
    out.printf(
        Locale.ROOT,
        "  %-11s %9d %7d   fixed: %d%n",
        "all",
        result.injected().size(),
        result.found().size(),
        result.fixed());
    say("");
    say("For example:");
    for (Kind kind : Kind.values()) {
      rows.stream()
          .filter(row -> row.kind() != null && row.kind().text().equals(kind.text()))
          .limit(EXAMPLES_PER_KIND)
          .forEach(row -> example(kind, row));
    }
    say("");
  }

  void mended(Sums truth, Sums ours) {
    say("Now they agree:");
    say("");
    sums("the platform says", truth);
    sums("our store says", ours);
    say("");
  }

  void ends(DemoResult result, long listed) {
    out.printf(
        Locale.ROOT,
        "A second run compares all %,d orders again and finds %d disagreements.%n",
        listed,
        result.foundAgain());
    say("");
    if (result.holds()) {
      out.printf(
          Locale.ROOT,
          "Found: all %d that were wrong, and not one more. Fixed: all of them.%n",
          result.found().size());
      return;
    }
    say("This is not as it should be: found must equal injected to the row, all must be fixed,");
    say("nothing may be left. What differs:");
    result
        .injected()
        .forEach((id, kind) -> differs(id, kind, result.found().getOrDefault(id, "not found")));
    result
        .found()
        .forEach((id, kind) -> differs(id, result.injected().getOrDefault(id, "nothing"), kind));
  }

  void leaves(Path log) {
    say("The log is " + log + ".");
  }

  private void differs(String id, String injected, String found) {
    if (!injected.equals(found)) {
      out.printf(Locale.ROOT, "  order %s: injected %s, found %s%n", id, injected, found);
    }
  }

  void wrote(Path page) {
    say("  The report as a page: " + page.toAbsolutePath());
  }

  private void example(Kind kind, Disagreement row) {
    String fields =
        row.differences().stream()
            .sorted(Comparator.comparing(one -> !TELLING.contains(one.pointer())))
            .filter(one -> !one.pointer().equals("/updated_at"))
            .limit(2)
            .map(Story::field)
            .collect(Collectors.joining(", "));
    out.printf(
        Locale.ROOT,
        "  %-10s order %s  %s%n",
        kind.text(),
        row.entityId().substring(0, 8),
        fields.isEmpty() ? kind.meaning() : fields);
  }

  private static String field(Difference one) {
    return one.pointer().substring(1) + ": " + one.ours() + " -> " + one.theirs();
  }

  private void count(long number, String what, String meaning) {
    out.printf(Locale.ROOT, "  %,8d  %-11s %s%n", number, what, meaning);
  }

  private void sums(String who, Sums sums) {
    BigDecimal total = sums.grandTotal();
    out.printf(Locale.ROOT, "  %-22s %,8d %,20.4f%n", who, sums.orders(), total);
  }

  private static String words(LocalDate day) {
    return DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH).format(day);
  }

  private void say(String line) {
    out.println(line);
  }
}
