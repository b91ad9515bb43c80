package io.hooktally.reconcile.source;

import com.fasterxml.jackson.core.JsonPointer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Collects problems below one key of the configuration. */
final class Problems {
  private final String at;
  private final List<Problem> found = new ArrayList<>();

  Problems(String at) {
    this.at = at;
  }

  List<Problem> found() {
    return List.copyOf(found);
  }

  Problems with(List<Problem> others) {
    found.addAll(others);
    return this;
  }

  void add(String key, String came, String wanted, String remedy) {
    found.add(new Problem(at + "." + key, came, wanted, remedy));
  }

  void positive(String key, @Nullable Duration value, Duration most) {
    if (value == null || value.isNegative() || value.isZero() || value.compareTo(most) > 0) {
      add(
          key,
          String.valueOf(value),
          "a duration above zero, at most " + most,
          "Write for example 30s.");
    }
  }

  void notNegative(String key, Duration value) {
    if (value.isNegative()) {
      add(key, value.toString(), "a duration of zero or more", "Write for example 60s.");
    }
  }

  void between(String key, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      add(key, String.valueOf(value), "a number from " + least + " to " + most, "Change it.");
    }
  }

  void pointers(String key, List<String> pointers, boolean needed) {
    if (needed && pointers.isEmpty()) {
      add(key, "nothing", "JSON pointers, tried in order", "Write for example [/id].");
    }
    for (String pointer : pointers) {
      try {
        JsonPointer.compile(pointer);
      } catch (IllegalArgumentException e) {
        add(key, "'" + pointer + "'", "a JSON pointer", "Start it with a slash: /data/id.");
      }
    }
  }

  void header(String key, String name, boolean needed) {
    if (name.isBlank() ? needed : !name.chars().allMatch(c -> c > ' ' && c < 127 && c != ':')) {
      add(key, "'" + name + "'", "the name of an HTTP header", "Write for example X-Event-Id.");
    }
  }

  void path(String key, String path) {
    if (!path.startsWith("/")) {
      add(
          key,
          "'" + path + "'",
          "a path that begins with a slash",
          "Write for example /v1/orders.");
    }
  }

  void url(String key, String url) {
    HttpUrl parsed = HttpUrl.parse(url);
    if (parsed == null) {
      add(
          key,
          "'" + url + "'",
          "an http or https URL",
          "Write for example https://api.example.com.");
    } else if (!parsed.username().isEmpty() || !parsed.password().isEmpty()) {
      add(
          key,
          "a URL with a password",
          "a URL without credentials",
          "Put them under secretHeaders.");
    } else if (parsed.query() != null || parsed.fragment() != null) {
      add(
          key,
          "a URL with a query",
          "a URL without query or fragment",
          "Use list.query for parameters.");
    }
  }
}
