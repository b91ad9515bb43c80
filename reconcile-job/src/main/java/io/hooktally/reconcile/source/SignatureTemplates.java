package io.hooktally.reconcile.source;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The two templates of a signature. A <i>form</i> says how the header is written: elements {@code
 * key={name}} behind commas, or {@code {signature}} alone, or {@code v1,{signature}} behind blanks.
 * A <i>content</i> says what is signed: text with {@code {body}}, {@code {timestamp}}, {@code
 * {header.Name}} and whatever name the form has.
 */
public final class SignatureTemplates {
  private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9._-]*)}");

  private static final Pattern ELEMENT =
      Pattern.compile("(?:([A-Za-z0-9_-]+)([=,]))?\\{([A-Za-z][A-Za-z0-9]*)}");

  /**
   * A part of a template.
   *
   * @param text the text itself, or the name of a place
   */
  public record Part(boolean place, String text) {}

  /**
   * An element of a form.
   *
   * @param key what stands in front, with its {@code =} or {@code ,}; empty: nothing
   * @param name what stands there
   */
  public record Element(String key, String name) {}

  record Wrong(String key, String came, String wanted, String remedy) {
    void addTo(Problems problems) {
      problems.add(key, came, wanted, remedy);
    }
  }

  private SignatureTemplates() {}

  /** The parts of a content, in order. */
  public static List<Part> content(String template) {
    List<Part> parts = new ArrayList<>();
    Matcher place = PLACE.matcher(template);
    int end = 0;
    while (place.find()) {
      if (place.start() > end) {
        parts.add(new Part(false, template.substring(end, place.start())));
      }
      parts.add(new Part(true, place.group(1)));
      end = place.end();
    }
    if (end < template.length()) {
      parts.add(new Part(false, template.substring(end)));
    }
    return parts;
  }

  /** The elements of a form, in order; none where it is no form. */
  public static List<Element> form(String template) {
    List<Element> elements = new ArrayList<>();
    Matcher element = ELEMENT.matcher(template);
    int end = 0;
    while (element.find() && element.start() == end) {
      String key = element.group(1) == null ? "" : element.group(1) + element.group(2);
      elements.add(new Element(key, element.group(3)));
      end = element.end();
      if (end < template.length() && template.charAt(end) == ',') {
        end++;
      }
    }
    boolean alone = elements.stream().noneMatch(one -> one.key().isEmpty()) || elements.size() == 1;
    return end == template.length() && alone ? elements : List.of();
  }

  static List<Wrong> problems(SignatureConfig config) {
    List<Wrong> wrong = new ArrayList<>();
    List<String> names = form(config.form()).stream().map(Element::name).toList();
    if (!names.contains("signature")) {
      wrong.add(
          new Wrong(
              "form",
              "'" + config.form() + "'",
              "a form with {signature}",
              "Write for example \"t={timestamp},v1={signature}\"."));
    }
    List<String> places =
        content(config.content()).stream().filter(Part::place).map(Part::text).toList();
    if (!places.contains("body")) {
      wrong.add(
          new Wrong(
              "content",
              "'" + config.content() + "'",
              "a content with {body}",
              "Write for example \"{timestamp}.{body}\"."));
    }
    for (String place : places) {
      boolean known =
          place.equals("body")
              || place.startsWith("header.")
              || (place.equals("timestamp") && !config.timestampHeader().isEmpty())
              || (names.contains(place) && !place.equals("signature"));
      if (!known) {
        wrong.add(
            new Wrong(
                "content",
                "{" + place + "}",
                "{body}, {header.Name}, or a name of the form " + names,
                place.equals("timestamp")
                    ? "Put {timestamp} into the form, or set timestampHeader."
                    : "Put it into the form, or take it from a header."));
      }
    }
    return wrong;
  }
}
