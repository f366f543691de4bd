package dev.cairn.allocator.report;

import dev.cairn.allocator.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines of a screen, none of them longer than its width. Mutable while it is filled. */
final class Lines {
  /** How many characters a line may have. */
  static final int WIDTH = 100;

  private final List<String> lines = new ArrayList<>();

  @SuppressWarnings("AnnotateFormatMethod") // a line without values is taken as it is
  Lines add(String format, Object... values) {
    String line = values.length == 0 ? format : String.format(Locale.ROOT, format, values);
    lines.add(Printable.of(line.stripTrailing(), WIDTH));
    return this;
  }

  Lines addAll(List<String> more) {
    more.forEach(this::add);
    return this;
  }

  /** An empty line, unless it would be the first. */
  Lines gap() {
    if (!lines.isEmpty()) {
      lines.add("");
    }
    return this;
  }

  List<String> all() {
    return List.copyOf(lines);
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
