package dev.cairn.runtime.symbolfile;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.runtime.symbol.Symbol;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One use of an operator as MXNet writes it: attributes are texts such as {@code (3, 3)} and {@code True}.
 *
 * @param operands what it reads, already converted
 */
record MxnetNode(String name, String op, Map<String, String> attributes, List<Symbol> operands) {
  /** A use of an operator that has no counterpart. */
  static final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unsupported(String reason) {
      super(reason);
    }
  }

  /** The symbol that an operator becomes: as many symbols as it has results that a network may read. */
  interface Conversion {
    List<Symbol> of(MxnetNode node);
  }

  /** The first operand. */
  Symbol x() {
    return operand(0);
  }

  Symbol operand(int index) {
    if (index >= operands.size()) {
      throw new Unsupported("an operand is missing: index=" + index);
    }
    return operands.get(index);
  }

  /** An attribute; empty where it is left out or {@code None}. */
  Optional<String> find(String attribute) {
    return Optional.ofNullable(attributes.get(attribute)).map(String::strip).filter(text -> !text.equals("None")
      && !text.isEmpty());
  }

  String text(String attribute, String absent) {
    return find(attribute).orElse(absent);
  }

  boolean flag(String attribute, boolean absent) {
    return find(attribute).map(text -> text.equals("True") || text.equals("1") || text.equals("true")).orElse(absent);
  }

  /** Refuses an attribute that has another value than the only one that Cairn serves. */
  void require(String attribute, String only) {
    String value = text(attribute, only);
    if (!value.equals(only)) {
      throw new Unsupported("attribute %s=%s; only %s is served".formatted(attribute, value, only));
    }
  }

  double number(String attribute, double absent) {
    return find(attribute).map(text -> {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException _) {
        throw new Unsupported("attribute %s=%s is not a number".formatted(attribute, text));
      }
    }).orElse(absent);
  }

  AttributeValue.Real real(String attribute, double absent) {
    return new AttributeValue.Real((float) number(attribute, absent));
  }

  int integer(String attribute, int absent) {
    return Math.toIntExact(parsed(attribute, text(attribute, Integer.toString(absent))));
  }

  /** An attribute that must be there. */
  long requiredLong(String attribute) {
    return parsed(attribute, find(attribute).orElseThrow(() -> new Unsupported("attribute " + attribute
      + " is missing")));
  }

  /** The whole numbers of a tuple; {@code absent} where it is left out. */
  long[] longs(String attribute, long... absent) {
    return find(attribute).map(text -> tuple(attribute, text)).orElse(absent);
  }

  private static long[] tuple(String attribute, String text) {
    return Arrays.stream(items(text)).mapToLong(item -> parsed(attribute, item)).toArray();
  }

  /** The text between the brackets of a tuple, or the text itself. */
  static String[] items(String text) {
    String inner = text.startsWith("(") || text.startsWith("[") ? text.substring(1, text.length() - 1) : text;
    return Arrays.stream(inner.split(",", -1)).map(String::strip).filter(item -> !item.isEmpty()).toArray(
      String[]::new);
  }

  static long parsed(String attribute, String text) {
    try {
      return Long.parseLong(text.endsWith("L") ? text.substring(0, text.length() - 1) : text);
    } catch (NumberFormatException _) {
      throw new Unsupported("attribute %s=%s is not a whole number".formatted(attribute, text));
    }
  }

  int[] axes(String attribute, long... absent) {
    return Arrays.stream(longs(attribute, absent)).mapToInt(Math::toIntExact).toArray();
  }
}
