package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The header of a CSV problem: which cell of a line means what. See {@link ProblemCsv} for the columns. */
final class CsvColumns {
  private static final List<String> REQUIRED = List.of("id", "lower", "upper", "size");
  private static final Map<String, String> OTHER_NAMES = Map.of("buffer", "id", "buffer_id", "id", "begin", "lower",
    "start", "lower", "end", "upper");
  private static final List<String> OPTIONAL = List.of("alignment", "gaps", "offset", "hint", "device");

  private final Map<String, Integer> indexes = new HashMap<>();
  /** This number is added to each end in the file, which makes inclusive ends exclusive: 1 or 0. */
  private final int endShift;

  private CsvColumns(String header) {
    boolean inclusive = false;
    for (String cell : header.isEmpty() ? new String[0] : header.split(",", -1)) {
      String written = cell.strip();
      String name = OTHER_NAMES.getOrDefault(written, written);
      boolean known = REQUIRED.contains(name) || OPTIONAL.contains(name);
      if (!known || indexes.putIfAbsent(name, indexes.size()) != null) {
        throw new IllegalArgumentException("unknown or repeated column: line=1 column=" + written);
      }
      inclusive |= written.equals("end");
    }
    endShift = inclusive ? 1 : 0;
  }

  static CsvColumns of(String header) {
    var columns = new CsvColumns(header);
    if (!columns.indexes.keySet().containsAll(REQUIRED)) {
      throw new IllegalArgumentException("columns missing: line=1 wanted=id,lower,upper,size found=" + header);
    }
    return columns;
  }

  Buffer buffer(String line) {
    String[] cells = line.split(",", -1);
    if (cells.length != indexes.size()) {
      throw new IllegalArgumentException("cells=%d columns=%d".formatted(cells.length, indexes.size()));
    }
    int lower = step(cells, "lower", 0);
    int upper = step(cells, "upper", endShift);
    var lifetime = new Lifetime(lower, upper);
    Buffer buffer = Buffer.of(cell(cells, "id"), number("size", cell(cells, "size"), Long.MAX_VALUE), lifetime);
    if (!cell(cells, "alignment").isEmpty()) {
      buffer = buffer.withAlignment(number("alignment", cell(cells, "alignment"), Long.MAX_VALUE)).exact();
    }
    if (!cell(cells, "gaps").isEmpty()) {
      buffer = buffer.withGaps(gaps(cell(cells, "gaps"), lifetime));
    }
    if (!cell(cells, "offset").isEmpty()) {
      buffer = buffer.withFixedOffset(number("offset", cell(cells, "offset"), Long.MAX_VALUE));
    }
    return cell(cells, "device").isEmpty()
      ? buffer
      : buffer.onDevice((int) number("device", cell(cells, "device"), Integer.MAX_VALUE));
  }

  private int step(String[] cells, String column, int shift) {
    return (int) number(column, cell(cells, column), Integer.MAX_VALUE - shift) + shift;
  }

  private List<Lifetime> gaps(String cell, Lifetime life) {
    List<Lifetime> gaps = new ArrayList<>();
    for (String gap : cell.split(" +", -1)) {
      String[] ends = gap.split("-", -1);
      if (ends.length != 2 || gap.indexOf('@') >= 0) {
        throw new IllegalArgumentException("not a gap of the form lower-upper: gap=" + gap);
      }
      int lower = (int) number("gaps", ends[0], Integer.MAX_VALUE);
      int upper = (int) number("gaps", ends[1], Integer.MAX_VALUE - endShift) + endShift;
      var written = new Lifetime(lower, upper);
      if (written.overlaps(life)) {
        gaps.add(new Lifetime(Math.max(lower, life.first()), Math.min(upper, life.end())));
      }
    }
    return gaps;
  }

  private static long number(String column, String cell, long max) {
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

  /** Empty when there is no such column. */
  private String cell(String[] cells, String column) {
    Integer index = indexes.get(column);
    return index == null ? "" : cells[index].strip();
  }
}
