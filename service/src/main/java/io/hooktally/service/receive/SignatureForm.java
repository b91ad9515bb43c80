package io.hooktally.service.receive;

import io.hooktally.reconcile.source.SignatureTemplates;
import io.hooktally.reconcile.source.SignatureTemplates.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes the value of a signature's header apart, as a form says: elements in any order, signatures
 * repeated, what the form does not name left out. A signature without a key of its own belongs to
 * the one before it. Immutable.
 */
final class SignatureForm {
  private static final int MOST_ELEMENTS = 100;
  private static final String SIGNATURE = "signature";

  private final List<Element> elements;
  private final String separator;

  SignatureForm(String template) {
    this.elements = SignatureTemplates.form(template);
    // Keys that end in a comma stand in a list of blanks.
    this.separator = elements.stream().anyMatch(one -> one.key().endsWith(",")) ? " " : ",";
  }

  /** What a header said. */
  record Read(List<String> signatures, Map<String, String> values) {
    Optional<String> value(String name) {
      return Optional.ofNullable(values.get(name));
    }
  }

  Read read(String header) {
    if (elements.size() == 1 && elements.get(0).key().isEmpty()) {
      return new Read(List.of(header.strip()), Map.of());
    }
    List<String> signatures = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    boolean goesOn = false;
    for (String part : header.split(separator, MOST_ELEMENTS)) {
      String text = part.strip();
      Optional<Element> element =
          elements.stream().filter(one -> text.startsWith(one.key())).findFirst();
      if (element.isPresent()) {
        String value = text.substring(element.get().key().length());
        goesOn = element.get().name().equals(SIGNATURE);
        if (goesOn) {
          signatures.add(value);
        } else if (values.put(element.get().name(), value) != null) {
          // Said twice: nobody knows which was meant.
          return new Read(List.of(), Map.of());
        }
      } else if (goesOn && separator.equals(",")) {
        signatures.add(text);
      }
    }
    return new Read(signatures, values);
  }
}
