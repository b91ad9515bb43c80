package io.hooktally.service;

import io.hooktally.reconcile.source.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is wrong with a configuration, collected over all steps so that a person sees all of it at
 * once. One key is complained about once: what follows from a complaint is not another one.
 */
final class ConfigProblems {
  private final List<Problem> found = new ArrayList<>();

  void add(String key, String came, String wanted, String remedy) {
    add(new Problem(key, came, wanted, remedy));
  }

  void add(Problem problem) {
    boolean known = found.stream().anyMatch(one -> isAtOrBelow(problem.key(), one.key()));
    if (!known) {
      found.add(problem);
    }
  }

  boolean none() {
    return found.isEmpty();
  }

  List<String> lines() {
    return found.stream()
        .map(one -> one.wanted().isEmpty() ? one.remedy() : one.toString())
        .toList();
  }

  private static boolean isAtOrBelow(String key, String other) {
    return key.equals(other) || key.startsWith(other + ".") || key.startsWith(other + "[");
  }

  /** A value as a message may show it: short, and never one that may be a secret. */
  static String shown(String key, String value) {
    String lower = key.toLowerCase(Locale.ROOT);
    for (String word : List.of("secret", "password", "signature", "webhookurl", "headers")) {
      if (lower.contains(word)) {
        return "something else";
      }
    }
    return value.length() > 60 ? "'" + value.substring(0, 57) + "...'" : "'" + value + "'";
  }
}
