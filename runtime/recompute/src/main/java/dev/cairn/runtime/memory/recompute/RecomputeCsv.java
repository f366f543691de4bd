package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads graphs as CSV with the columns {@code id,name,phase,cost,bytes,reads}, one node on each line. Ids are 0, 1, …
 * in a topological order; {@code reads} are ids, separated by spaces; {@code bytes} is what the node's result takes;
 * {@code phase} is not used. It skips blank lines.
 */
public final class RecomputeCsv {
  private static final String HEADER = "id,name,phase,cost,bytes,reads";

  private RecomputeCsv() {}

  private record Row(String name, long cost, long bytes, List<Integer> reads) {}

  /** Reads a UTF-8 file; invalid content throws an {@link IllegalArgumentException} that names the line. */
  public static RecomputeProblem read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /**
   * Reads a problem from the text of a file.
   *
   * @throws IllegalArgumentException naming the line, when the format or a number is invalid
   */
  public static RecomputeProblem parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().strip().equals(HEADER)) {
      throw new IllegalArgumentException("columns differ: line=1 wanted=%s found=%s".formatted(HEADER,
        lines.isEmpty() ? "" : lines.getFirst()));
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        try {
          rows.add(row(lines.get(i), rows.size()));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("bad line: line=%d text=%s: %s".formatted(i + 1, lines.get(i),
            e.getMessage()), e);
        }
      }
    }
    return problem(rows);
  }

  private static Row row(String line, int id) {
    String[] cells = line.split(",", -1);
    if (cells.length != 6) {
      throw new IllegalArgumentException("cells=%d columns=6".formatted(cells.length));
    }
    if (number("id", cells[0]) != id) {
      throw new IllegalArgumentException("ids count up from 0: id=%s expected=%d".formatted(cells[0], id));
    }
    String[] reads = cells[5].isBlank() ? new String[0] : cells[5].strip().split(" +", -1);
    List<Integer> ids = new ArrayList<>();
    for (String cell : reads) {
      long read = number("reads", cell);
      if (read >= id) {
        throw new IllegalArgumentException("a node reads earlier nodes only: id=%d reads=%d".formatted(id, read));
      }
      ids.add((int) read);
    }
    return new Row(cells[1], number("cost", cells[3]), number("bytes", cells[4]), ids);
  }

  private static long number(String column, String cell) {
    try {
      long value = Long.parseLong(cell.strip());
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a whole number: column=%s value=%s".formatted(column, cell), e);
    }
    throw new IllegalArgumentException("negative: column=%s value=%s".formatted(column, cell));
  }

  private static RecomputeProblem problem(List<Row> rows) {
    List<List<Integer>> readers = new ArrayList<>();
    for (int id = 0; id < rows.size(); id++) {
      readers.add(new ArrayList<>());
      for (int read : rows.get(id).reads) {
        readers.get(read).add(id);
      }
    }
    OrderProblem.Builder order = OrderProblem.builder(rows.size());
    for (int id = 0; id < rows.size(); id++) {
      order.value(id, rows.get(id).bytes, false, readers.get(id).stream().mapToInt(Integer::intValue).toArray());
    }
    RecomputeProblem.Builder problem = RecomputeProblem.builder(order.build());
    for (int id = 0; id < rows.size(); id++) {
      problem.name(id, rows.get(id).name).cost(id, rows.get(id).cost);
    }
    return problem.build();
  }
}
