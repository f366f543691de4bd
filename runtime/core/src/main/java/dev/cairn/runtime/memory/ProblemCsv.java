package dev.cairn.runtime.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Problems as CSV in MiniMalloc's format: a header {@code id,lower,upper,size} with its columns in any order and an
 * optional column {@code alignment} (1 when absent), then one buffer a line, its lifetime half-open. Blank lines are
 * skipped. Reuse keys have no column; buffers that are kept to the last step are written with that as their
 * {@code upper}.
 */
public final class ProblemCsv {
  private static final Set<String> REQUIRED = Set.of("id", "lower", "upper", "size");
  private static final String ALIGNMENT = "alignment";

  private ProblemCsv() {}

  /** Reads a UTF-8 file; bad content is an {@link IllegalArgumentException} that names the line. */
  public static MemoryProblem read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /**
   * Reads a problem from the text of a file.
   *
   * @throws IllegalArgumentException naming the line, when the text is not in the format or a buffer is not allowed
   */
  public static MemoryProblem parse(String text) {
    List<String> lines = text.lines().toList();
    Map<String, Integer> columns = lines.isEmpty() ? Map.of() : columns(lines.getFirst());
    if (!columns.keySet().containsAll(REQUIRED)) {
      throw new IllegalArgumentException("columns missing: line=1 wanted=id,lower,upper,size found="
        + (lines.isEmpty() ? "" : lines.getFirst()));
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        try {
          buffers.add(buffer(columns, lines.get(i)));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("bad line: line=%d text=%s: %s".formatted(i + 1, lines.get(i),
            e.getMessage()), e);
        }
      }
    }
    return new MemoryProblem(buffers);
  }

  /**
   * The problem as text, each line ended by a newline; {@code alignment} is left out when it is 1 throughout.
   *
   * @throws IllegalArgumentException when a name holds a comma or a line break, which the format cannot carry
   */
  public static String write(MemoryProblem problem) {
    boolean aligned = problem.buffers().stream().anyMatch(buffer -> buffer.alignment() != 1);
    StringBuilder text = new StringBuilder("id,lower,upper,size").append(aligned ? "," + ALIGNMENT : "").append('\n');
    List<Lifetime> held = problem.held();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      String name = buffer.name();
      if (name.indexOf(',') >= 0 || name.lines().count() != 1 || !name.strip().equals(name)) {
        throw new IllegalArgumentException("name cannot be written as CSV: buffer=" + name);
      }
      text.append(name).append(',').append(held.get(i).first()).append(',').append(held.get(i).end()).append(',')
        .append(buffer.bytes()).append(aligned ? "," + buffer.alignment() : "").append('\n');
    }
    return text.toString();
  }

  private static Map<String, Integer> columns(String header) {
    Map<String, Integer> columns = new HashMap<>();
    for (String cell : header.split(",", -1)) {
      String name = cell.strip();
      boolean known = REQUIRED.contains(name) || name.equals(ALIGNMENT);
      if (!known || columns.putIfAbsent(name, columns.size()) != null) {
        throw new IllegalArgumentException("unknown or repeated column: line=1 column=" + name);
      }
    }
    return columns;
  }

  private static Buffer buffer(Map<String, Integer> columns, String line) {
    String[] cells = line.split(",", -1);
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException("cells=%d columns=%d".formatted(cells.length, columns.size()));
    }
    int lower = Math.toIntExact(number(columns, cells, "lower", Integer.MAX_VALUE));
    int upper = Math.toIntExact(number(columns, cells, "upper", Integer.MAX_VALUE));
    long size = number(columns, cells, "size", Long.MAX_VALUE);
    Buffer buffer = Buffer.of(cell(columns, cells, "id"), size, new Lifetime(lower, upper));
    return columns.containsKey(ALIGNMENT)
      ? buffer.withAlignment(number(columns, cells, ALIGNMENT, Long.MAX_VALUE))
      : buffer;
  }

  private static long number(Map<String, Integer> columns, String[] cells, String column, long max) {
    String cell = cell(columns, cells, column);
    try {
      long value = Long.parseLong(cell);
      if (value <= max && value >= -max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a whole number: column=%s value=%s".formatted(column, cell), e);
    }
    throw new IllegalArgumentException("out of range: column=%s value=%s max=%d".formatted(column, cell, max));
  }

  private static String cell(Map<String, Integer> columns, String[] cells, String column) {
    Integer index = columns.get(column);
    if (index == null) {
      throw new IllegalArgumentException("no such column: column=" + column);
    }
    return cells[index].strip();
  }
}
