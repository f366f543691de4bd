package dev.cairn.runtime.onnx.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The attributes that operator sets define, by operator and version: ONNX's and ONNX Runtime's, from the resource
 * {@code attributes.txt}. Operators that it does not list may have any attribute, as those of users.
 */
final class DefinedAttributes {
  /** ONNX Runtime's mark of attributes that tools keep for themselves; no schema defines them. */
  private static final String INTERNAL = "__";
  private static final Map<String, List<Defined>> OPERATORS = read();

  /** An attribute and the versions that have it, both inclusive. */
  private record Defined(String name, long first, long last) {
    static Defined of(String word) {
      int colon = word.indexOf(':');
      if (colon < 0) {
        return new Defined(word, 0, Long.MAX_VALUE);
      }
      int dash = word.indexOf('-', colon);
      String last = word.substring(dash + 1);
      return new Defined(word.substring(0, colon), Long.parseLong(word.substring(colon + 1, dash)),
        last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last));
    }

    boolean isOf(long version) {
      return first <= version && version <= last;
    }

    String versions() {
      return last == Long.MAX_VALUE ? "from %d on".formatted(first) : "%d to %d".formatted(first, last);
    }
  }

  private DefinedAttributes() {}

  private static Map<String, List<Defined>> read() {
    try (InputStream in = DefinedAttributes.class.getResourceAsStream("attributes.txt")) {
      Map<String, List<Defined>> operators = new HashMap<>();
      String text = new String(Objects.requireNonNull(in, "attributes.txt").readAllBytes(), StandardCharsets.UTF_8);
      text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
        String[] words = line.split(" ");
        operators.put(words[0], Arrays.stream(words).skip(1).map(Defined::of).toList());
      });
      return Map.copyOf(operators);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Why an operator of this version cannot have an attribute; empty when it can, or when its attributes are unknown.
   */
  static Optional<String> fault(FlatNode.Operator operator, String attribute) {
    List<Defined> all = OPERATORS.get(operator.toString());
    if (all == null || attribute.startsWith(INTERNAL)) {
      return Optional.empty();
    }
    List<Defined> named = all.stream().filter(it -> it.name.equals(attribute)).toList();
    // A file that uses a domain without importing it says no version.
    if (named.stream().anyMatch(it -> operator.opset() == 0 || it.isOf(operator.opset()))) {
      return Optional.empty();
    }
    String opset = operator.domain().isEmpty()
      ? "opset " + operator.opset()
      : operator.domain() + " " + operator
        .opset();
    if (!named.isEmpty()) {
      return Optional.of("%s of %s has no attribute %s; opsets that have it: %s".formatted(operator.name(), opset,
        attribute, String.join(", ", named.stream().map(Defined::versions).toList())));
    }
    List<String> known = all.stream().filter(it -> it.isOf(operator.opset())).map(Defined::name).toList();
    return Optional.of("%s of %s has no attribute %s; it has %s".formatted(operator.name(), opset, attribute,
      known.isEmpty() ? "none" : String.join(", ", known)));
  }
}
