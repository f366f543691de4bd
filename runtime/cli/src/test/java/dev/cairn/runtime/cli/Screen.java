package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** What a terminal shows of a stream of characters, as far as a progress bar uses it. */
final class Screen {
  private static final char ESCAPE = 0x1b;

  private Screen() {}

  /** The lines, without those that are blank. */
  static List<String> lines(String text) {
    List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
    int row = 0;
    int column = 0;
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '\r') {
        column = 0;
      } else if (character == '\n') {
        row++;
      } else if (character == ESCAPE && i + 1 < text.length() && text.charAt(i + 1) == '[') {
        int end = i + 2;
        boolean isMode = text.startsWith("?", end);
        while (!Character.isLetter(text.charAt(end))) {
          end++;
        }
        int count = isMode || end == i + 2 ? 1 : Integer.parseInt(text.substring(i + 2, end));
        switch (text.charAt(end)) {
          case 'h', 'l' -> assertThat(isMode).isTrue();
          case 'A' -> row = Math.max(0, row - count);
          case 'B' -> row += count;
          case 'K' -> lines.get(row).setLength(Math.min(column, lines.get(row).length()));
          default -> throw new AssertionError("unknown escape sequence: " + text.substring(i + 1, end + 1));
        }
        i = end;
      } else {
        StringBuilder line = lines.get(row);
        while (line.length() <= column) {
          line.append(' ');
        }
        line.setCharAt(column++, character);
      }
      while (lines.size() <= row) {
        lines.add(new StringBuilder());
      }
    }
    return lines.stream().map(it -> it.toString().stripTrailing()).filter(it -> !it.isBlank()).toList();
  }
}
