package dev.cairn.runtime.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Reads and writes problems as CSV in MiniMalloc's format: a header with columns in any order, then one buffer on each
 * line. It skips blank lines and a byte order mark.
 *
 * <p>Columns: {@code id} (or {@code buffer}, {@code buffer_id}), {@code lower} ({@code begin}, {@code start}), {@code
 * upper} and {@code size}; optional {@code alignment} (1 when absent; only the offset is a
 * multiple of it, so sizes are written rounded up where the problem rounds them), {@code gaps} ({@code lower-upper},
 * separated by spaces, clipped to the lifetime), {@code offset} (a fixed offset; may be empty), {@code hint} (ignored)
 * and Cairn's own {@code device}. Steps are half-open; in older files, {@code end} replaces {@code upper} and makes it,
 * and the ends of gaps, inclusive. Reuse keys, groups and conflicts have no column. A buffer kept to the last step is
 * written with that step as its {@code upper}.
 */
public final class ProblemCsv {
  /** Spreadsheets begin a UTF-8 file with it. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private ProblemCsv() {}

  /** Reads a UTF-8 file; invalid content throws an {@link IllegalArgumentException} that names the line. */
  public static MemoryProblem read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /**
   * Reads a problem from the text of a file.
   *
   * @throws IllegalArgumentException naming the line, when the format or a buffer is invalid
   */
  public static MemoryProblem parse(String text) {
    List<String> lines = (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text).lines().toList();
    var columns = CsvColumns.of(lines.isEmpty() ? "" : lines.getFirst());
    Set<String> names = new HashSet<>();
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        try {
          Buffer buffer = columns.buffer(lines.get(i));
          if (!names.add(buffer.name())) {
            throw new IllegalArgumentException("two buffers with one name: buffer=" + buffer.name());
          }
          buffers.add(buffer);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("bad line: line=%d text=%s: %s".formatted(i + 1, lines.get(i),
            e.getMessage()), e);
        }
      }
    }
    return new MemoryProblem(buffers);
  }

  /**
   * The problem as text; each line ends with a newline. It omits optional columns that no buffer needs.
   *
   * @throws IllegalArgumentException when a name holds a comma or a line break, or the problem has groups or conflicts,
   *   which the format cannot express
   */
  public static String write(MemoryProblem problem) {
    ProblemFeature.requireOnly("csv", problem, ProblemFeature.FIXED_OFFSETS, ProblemFeature.GAPS,
      ProblemFeature.DEVICES);
    List<Column> columns = columns(problem);
    if (problem.buffers().stream().anyMatch(buffer -> buffer.fixedOffset().isPresent())) {
      columns.add(new Column("offset", i -> {
        var fixed = problem.buffer(i).fixedOffset();
        return fixed.isPresent() ? Long.toString(fixed.getAsLong()) : "";
      }));
    }
    return table(columns, problem.size());
  }

  /**
   * The problem with a plan's offsets in the column {@code offset}. The format has one arena for each device, so the
   * plan's pools of a device follow each other in it. Conflicts and groups are omitted; the plan respects them.
   *
   * @throws IllegalArgumentException when a name cannot be written, or the numbers of placements and buffers differ
   */
  public static String writeSolved(MemoryProblem problem, MemoryPlan plan) {
    if (plan.placements().size() != problem.size()) {
      throw new IllegalArgumentException("not a plan of this problem: placements=%d buffers=%d"
        .formatted(plan.placements().size(), problem.size()));
    }
    long[] bases = plan.basesInArenas();
    List<Column> columns = columns(problem);
    columns.add(new Column("offset", i -> {
      Placement placement = plan.placements().get(i);
      return Long.toString(Math.addExact(bases[placement.pool()], placement.offset()));
    }));
    return table(columns, problem.size());
  }

  private record Column(String name, IntFunction<String> cell) {}

  private static List<Column> columns(MemoryProblem problem) {
    List<Lifetime> held = problem.held();
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("id", i -> writable(problem.buffer(i).name())));
    columns.add(new Column("lower", i -> Integer.toString(held.get(i).first())));
    columns.add(new Column("upper", i -> Integer.toString(held.get(i).end())));
    columns.add(new Column("size", i -> Long.toString(problem.buffer(i).reservedBytes())));
    if (problem.buffers().stream().anyMatch(buffer -> buffer.alignment() != 1)) {
      columns.add(new Column("alignment", i -> Long.toString(problem.buffer(i).alignment())));
    }
    if (problem.buffers().stream().anyMatch(buffer -> !buffer.gaps().isEmpty())) {
      columns.add(new Column("gaps", i -> problem.buffer(i).gaps().stream()
        .map(gap -> gap.first() + "-" + gap.end()).collect(Collectors.joining(" "))));
    }
    if (problem.buffers().stream().anyMatch(buffer -> buffer.device() != 0)) {
      columns.add(new Column("device", i -> Integer.toString(problem.buffer(i).device())));
    }
    return columns;
  }

  private static String table(List<Column> columns, int rows) {
    StringBuilder text = new StringBuilder(columns.stream().map(Column::name).collect(Collectors.joining(",")));
    text.append('\n');
    for (int i = 0; i < rows; i++) {
      int row = i;
      text.append(columns.stream().map(column -> column.cell.apply(row)).collect(Collectors.joining(","))).append('\n');
    }
    return text.toString();
  }

  private static String writable(String name) {
    if (name.indexOf(',') >= 0 || name.lines().count() != 1 || !name.strip().equals(name)) {
      throw new IllegalArgumentException("name cannot be written as CSV: buffer=" + name);
    }
    return name;
  }
}
