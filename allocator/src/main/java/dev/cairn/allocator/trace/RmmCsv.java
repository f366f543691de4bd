package dev.cairn.allocator.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Reads the log of RMM's logging adaptor, {@code Thread,Time,Action,Pointer,Size,Stream}, as RMM or {@link
 * TraceRecorder} wrote it. Stateless.
 *
 * <p>Columns may come in any order; only the action, the pointer and the size matter, and the order of the rows, which
 * is that of all threads and streams together. A header may come again, as in logs that were joined. Events that are
 * missing at the ends of a log, or were lost from it, are replaced as {@link TraceNotes} says.
 */
public final class RmmCsv {
  /** The header. */
  public static final String HEADER = "Thread,Time,Action,Pointer,Size,Stream";

  /** Stands for a pointer that was seen and is now free; a live address has the number of its block and 1. */
  private static final long FREED = Long.MAX_VALUE;

  private final CsvRows rows;
  private final TraceBuilder trace = new TraceBuilder();
  private final AddressMap blocks = new AddressMap();
  private int action;
  private int pointer;
  private int size;
  private int columns;

  private RmmCsv(CsvRows rows) {
    this.rows = rows;
  }

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
    return new RmmCsv(new CsvRows(in)).readAll();
  }

  private AllocationTrace readAll() throws IOException {
    Map<String, Integer> header = rows.header("action", "pointer", "size");
    action = header.getOrDefault("action", 0);
    pointer = header.getOrDefault("pointer", 0);
    size = header.getOrDefault("size", 0);
    columns = rows.cells();
    while (rows.next()) {
      readRow();
    }
    try {
      return trace.build();
    } catch (IllegalArgumentException e) {
      throw new InvalidTrace("impossible sizes: " + e.getMessage(), e);
    }
  }

  private void readRow() {
    if (rows.cells() != columns) {
      throw rows.bad("cells=%d columns=%d".formatted(rows.cells(), columns));
    }
    if (rows.is(action, "allocate")) {
      grant(rows.address(pointer, "Pointer"), rows.count(size, "Size"));
    } else if (rows.is(action, "free") || rows.is(action, "deallocate")) {
      free(rows.address(pointer, "Pointer"), rows.count(size, "Size"));
    } else if (rows.is(action, "allocate failure")) {
      trace.failure();
    } else if (!rows.is(action, "action")) {
      throw rows.bad("neither allocate, free nor allocate failure", action, "Action");
    }
  }

  private void grant(long address, long bytes) {
    if (bytes == 0) {
      trace.empty();
    } else if (address == 0) {
      trace.failure();
    } else {
      long before = blocks.get(address);
      if (before != 0 && before != FREED) {
        trace.impliedFree((int) (before - 1));
      }
      blocks.put(address, 1L + trace.grant(bytes));
    }
  }

  private void free(long address, long bytes) {
    long before = blocks.get(address);
    if (before != 0 && before != FREED) {
      trace.free((int) (before - 1));
      blocks.put(address, FREED);
    } else if (bytes == 0 || address == 0) {
      trace.empty();
    } else if (before == FREED) {
      trace.strayFree();
    } else {
      trace.free(trace.heldFromStart(bytes));
      blocks.put(address, FREED);
    }
  }
}
