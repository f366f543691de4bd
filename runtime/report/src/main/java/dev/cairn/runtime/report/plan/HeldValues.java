package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds how long a run held the bytes of one pool, from the reads and writes of its steps in the order in which they
 * happened. A write begins a value and ends what lay there before; reads prolong it. Mutable.
 */
final class HeldValues {
  private static final int NO_STEP = -1;

  private final int pool;
  private final TracedGraph graph;
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();
  private final List<Piece> ended = new ArrayList<>();
  private int written;

  /** Some bytes of a value: all of them, until a part is overwritten. */
  private record Piece(int value, int writer, boolean scratch, long from, long to, int first, int end) {
    Piece cut(long newFrom, long newTo) {
      return new Piece(value, writer, scratch, newFrom, newTo, first, end);
    }

    Piece until(int newEnd) {
      return new Piece(value, writer, scratch, from, to, first, newEnd);
    }

    /** Whether the next piece is of the same value, was held as long, and follows at once. */
    boolean joins(Piece next) {
      return value == next.value && end == next.end && to == next.from;
    }
  }

  HeldValues(int pool, TracedGraph graph) {
    this.pool = pool;
    this.graph = graph;
  }

  /** Bytes that no step has written count as held from the run's begin. */
  void read(int step, long from, long to) {
    long next = from;
    for (Piece it : List.copyOf(overlapping(from, to).values())) {
      if (it.from > next) {
        add(NO_STEP, false, next, it.from, 0, step + 1);
      }
      pieces.put(it.from, it.until(Math.max(it.end, step + 1)));
      next = it.to;
    }
    if (next < to) {
      add(NO_STEP, false, next, to, 0, step + 1);
    }
  }

  void write(int step, boolean scratch, long from, long to) {
    for (Piece it : List.copyOf(overlapping(from, to).values())) {
      pieces.remove(it.from);
      if (it.from < from) {
        pieces.put(it.from, it.cut(it.from, from));
      }
      if (it.to > to) {
        pieces.put(to, it.cut(to, it.to));
      }
      // A step that reads bytes and writes them holds them once, for what it writes.
      if (it.first < step) {
        ended.add(it.cut(Math.max(it.from, from), Math.min(it.to, to)).until(Math.min(it.end, step)));
      }
    }
    add(step, scratch, from, to, step, step + 1);
  }

  private void add(int writer, boolean scratch, long from, long to, int first, int end) {
    pieces.put(from, new Piece(written++, writer, scratch, from, to, first, end));
  }

  private Map<Long, Piece> overlapping(long from, long to) {
    Map.Entry<Long, Piece> before = pieces.floorEntry(from);
    return pieces.subMap(before != null && before.getValue().to > from ? before.getKey() : from, to);
  }

  /** The values that were held after the last step. */
  List<HeldValue> values() {
    List<Piece> all = new ArrayList<>(ended);
    all.addAll(pieces.values());
    all.sort(Comparator.comparingInt(Piece::value).thenComparingLong(Piece::from));
    List<HeldValue> values = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Piece whole = all.get(i);
      while (i + 1 < all.size() && whole.joins(all.get(i + 1))) {
        whole = whole.cut(whole.from, all.get(++i).to);
      }
      values.add(value(whole));
    }
    return List.copyOf(values);
  }

  private HeldValue value(Piece it) {
    boolean isKnown = it.writer != NO_STEP;
    TracedStep writer = isKnown ? graph.steps().get(it.writer) : null;
    return new HeldValue(pool, it.from, it.to - it.from, new Lifetime(it.first, it.end), writer == null
      ? ""
      : writer.node(), writer == null ? "" : writer.operator(), it.scratch);
  }
}
