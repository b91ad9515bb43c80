package io.hooktally.service.demo;

/** The kinds of disagreement that the demo can cause. */
enum Kind {
  MISSING("the platform has it, we do not"),
  STALE("ours is older"),
  DIFFERENT("same time, other content"),
  EXTRA("we have it, the platform does not");

  private final String meaning;

  Kind(String meaning) {
    this.meaning = meaning;
  }

  String text() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  String meaning() {
    return meaning;
  }
}
