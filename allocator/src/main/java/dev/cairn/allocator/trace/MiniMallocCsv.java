package dev.cairn.allocator.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Reads a planner's problem in MiniMalloc's format, {@code id,lower,upper,size}, as a trace: each buffer is granted at
 * {@code lower} and freed at {@code upper}. At one moment frees come before grants, and both in the order of the rows.
 * Columns may come in any order, and others are passed over. Stateless.
 */
public final class MiniMallocCsv {
  private long[] lowers = new long[64];
  private long[] uppers = new long[64];
  private long[] sizes = new long[64];
  private int count;
  private long empties;

  private MiniMallocCsv() {}

  /**
   * Reads a file.
   *
   * @throws InvalidTrace naming the line, when it isn't in the format
   */
  public static AllocationTrace read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in);
    }
  }

  /** Reads to the end of a stream, as {@link #read(Path)} does; doesn't close it. */
  public static AllocationTrace read(InputStream in) throws IOException {
    MiniMallocCsv buffers = new MiniMallocCsv();
    buffers.readRows(new CsvRows(in));
    try {
      return buffers.trace();
    } catch (IllegalArgumentException e) {
      throw new InvalidTrace("impossible sizes: " + e.getMessage(), e);
    }
  }

  private void readRows(CsvRows rows) throws IOException {
    Map<String, Integer> header = rows.header("id", "lower", "upper", "size");
    int lower = header.getOrDefault("lower", 0);
    int upper = header.getOrDefault("upper", 0);
    int size = header.getOrDefault("size", 0);
    int columns = rows.cells();
    while (rows.next()) {
      if (rows.cells() != columns) {
        throw rows.bad("cells=%d columns=%d".formatted(rows.cells(), columns));
      }
      long from = rows.count(lower, "lower");
      long to = rows.count(upper, "upper");
      if (from > to) {
        throw rows.bad("ends before it begins: lower=%d upper=%d".formatted(from, to));
      }
      add(from, to, rows.count(size, "size"));
    }
  }

  private void add(long lower, long upper, long size) {
    if (lower == upper || size == 0) {
      empties++;
      return;
    }
    if (count == sizes.length) {
      lowers = Arrays.copyOf(lowers, 2 * count);
      uppers = Arrays.copyOf(uppers, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    lowers[count] = lower;
    uppers[count] = upper;
    sizes[count++] = size;
  }

  private AllocationTrace trace() {
    TraceBuilder trace = new TraceBuilder();
    int[] starting = rowsBy(lowers);
    int[] ending = rowsBy(uppers);
    int[] blocks = new int[count];
    int ended = 0;
    for (int row : starting) {
      while (uppers[ending[ended]] <= lowers[row]) {
        trace.free(blocks[ending[ended++]]);
      }
      blocks[row] = trace.grant(sizes[row]);
    }
    while (ended < count) {
      trace.free(blocks[ending[ended++]]);
    }
    for (long i = 0; i < empties; i++) {
      trace.empty();
    }
    return trace.build();
  }

  private int[] rowsBy(long[] times) {
    return IntStream.range(0, count).boxed().sorted(Comparator.comparingLong(row -> times[row]))
      .mapToInt(Integer::intValue).toArray();
  }
}
