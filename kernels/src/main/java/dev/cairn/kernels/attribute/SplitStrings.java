package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The parts into which {@code StringSplit} cuts each string, which type rule and kernel compute alike.
 *
 * @param all by string, its parts
 */
public record SplitStrings(List<List<String>> all) {
  public SplitStrings {
    all = List.copyOf(all);
  }

  /** Reads attributes {@code delimiter} (empty or missing: runs of white space) and {@code maxsplit}. */
  public static SplitStrings of(Attributes attributes, TensorView x) {
    String delimiter = attributes.getText("delimiter", "");
    long most = attributes.getLong("maxsplit", Long.MAX_VALUE);
    return new SplitStrings(Arrays.stream(StringElements.toArray(x)).map(text -> delimiter.isEmpty()
      ? bySpace(text, most)
      : byDelimiter(text, delimiter, most)).toList());
  }

  /** The most parts of a string. */
  public int most() {
    return all.stream().mapToInt(List::size).max().orElse(0);
  }

  /** All parts in order, {@link #most} for each string, empty ones where it has fewer. */
  public List<String> padded() {
    int most = most();
    List<String> padded = new ArrayList<>();
    for (List<String> parts : all) {
      for (int i = 0; i < most; i++) {
        padded.add(i < parts.size() ? parts.get(i) : "");
      }
    }
    return padded;
  }

  private static List<String> byDelimiter(String text, String delimiter, long most) {
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int at = text.indexOf(delimiter); at >= 0 && parts.size() < most; at = text.indexOf(delimiter, from)) {
      parts.add(text.substring(from, at));
      from = at + delimiter.length();
    }
    parts.add(text.substring(from));
    return parts;
  }

  private static List<String> bySpace(String text, long most) {
    List<String> parts = new ArrayList<>();
    String rest = text.stripLeading();
    while (!rest.isEmpty()) {
      int end = 0;
      while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
        end++;
      }
      if (parts.size() >= most) {
        end = rest.length();
      }
      parts.add(rest.substring(0, end));
      rest = rest.substring(end).stripLeading();
    }
    return parts;
  }
}
