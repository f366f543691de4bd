package dev.cairn.runtime.expression;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads indexes from text. */
final class IndexText {
  private IndexText() {}

  static List<Index> parse(String text) {
    List<Index> all = new ArrayList<>();
    if (text.isBlank()) {
      return all;
    }
    for (String part : text.split(",", -1)) {
      all.add(one(part.strip(), text));
    }
    return all;
  }

  private static Index one(String part, String text) {
    return switch (part) {
      case "..." -> Index.ellipsis();
      case "newaxis", "None" -> Index.newAxis();
      default -> part.contains(":") ? range(part, text) : Index.at(number(part, part, text));
    };
  }

  private static Index range(String part, String text) {
    String[] bounds = part.split(":", -1);
    if (bounds.length > 3) {
      throw invalid(part, text);
    }
    Long step = bounds.length == 3 ? bound(bounds[2], part, text) : null;
    return new Index.Range(bound(bounds[0], part, text), bound(bounds[1], part, text), step == null ? 1 : step);
  }

  private static @Nullable Long bound(String word, String part, String text) {
    return word.isBlank() ? null : number(word.strip(), part, text);
  }

  private static long number(String word, String part, String text) {
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw invalid(part, text);
    }
  }

  private static IllegalArgumentException invalid(String part, String text) {
    return new IllegalArgumentException(
      ("not an index: place=\"%s\" text=\"%s\"; known are whole numbers, from:to:step,"
        + " ... and newaxis").formatted(part, text));
  }
}
