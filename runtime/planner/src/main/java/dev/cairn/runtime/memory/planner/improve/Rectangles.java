package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The buffers of one device that take bytes, as flat arrays: each a rectangle, columns of time across and bytes high.
 *
 * <p>A column is a run of steps within which no buffer begins after another one has ended. So one step of a column has
 * all the rectangles that its other steps have, and a column stands for all of them. Lengths in columns ignore steps at
 * which nothing changes. Rectangles are numbered by first column, then by buffer. Gaps and extra conflicts are not in
 * the picture: ask {@link #meet}. Immutable.
 */
final class Rectangles {
  static final long NOT_PINNED = -1;

  private final MemoryProblem problem;
  private final int[] buffer;
  private final int[] first;
  private final int[] end;
  private final long[] bytes;
  private final long[] alignment;
  private final long[] pinnedAt;
  private final long[] heldBytes;
  private final boolean isPlain;
  private final long boundBytes;

  private Rectangles(MemoryProblem problem, int[] buffer, List<Lifetime> held, long boundBytes) {
    this.problem = problem;
    this.buffer = buffer;
    this.boundBytes = boundBytes;
    pinnedAt = new long[buffer.length];
    boolean anyGaps = false;
    first = new int[buffer.length];
    end = new int[buffer.length];
    bytes = new long[buffer.length];
    alignment = new long[buffer.length];
    for (int i = 0; i < buffer.length; i++) {
      Buffer b = problem.buffer(buffer[i]);
      bytes[i] = b.reservedBytes();
      alignment[i] = b.alignment();
      pinnedAt[i] = b.fixedOffset().orElse(NOT_PINNED);
      anyGaps |= !b.gaps().isEmpty();
    }
    isPlain = !anyGaps && problem.conflicts().isEmpty();
    heldBytes = new long[number(held)];
    for (int i = 0; i < buffer.length; i++) {
      for (int column = first[i]; column < end[i]; column++) {
        heldBytes[column] += bytes[i];
      }
    }
  }

  /**
   * @param problem without contiguous groups
   */
  static Rectangles of(MemoryProblem problem, int device, long boundBytes) {
    List<Lifetime> held = problem.held();
    int[] buffer = IntStream.range(0, problem.size())
      .filter(i -> problem.buffer(i).device() == device && problem.buffer(i).reservedBytes() > 0).boxed()
      .sorted(Comparator.comparingInt((Integer i) -> held.get(i).first()).thenComparingInt(i -> i))
      .mapToInt(Integer::intValue).toArray();
    return new Rectangles(problem, buffer, held, boundBytes);
  }

  /** Gives each rectangle its columns; the number of columns. */
  private int number(List<Lifetime> held) {
    int[] byEnd = IntStream.range(0, buffer.length).boxed()
      .sorted(Comparator.comparingInt((Integer i) -> held.get(buffer[i]).end()))
      .mapToInt(Integer::intValue).toArray();
    int column = 0;
    int ended = 0;
    for (int i = 0; i < buffer.length; i++) {
      int step = held.get(buffer[i]).first();
      int endedBefore = ended;
      while (held.get(buffer[byEnd[ended]]).end() <= step) {
        end[byEnd[ended++]] = column + 1;
      }
      column += ended > endedBefore ? 1 : 0;
      first[i] = column;
    }
    while (ended < buffer.length) {
      end[byEnd[ended++]] = column + 1;
    }
    return column + 1;
  }

  int count() {
    return buffer.length;
  }

  int columns() {
    return heldBytes.length;
  }

  int first(int rectangle) {
    return first[rectangle];
  }

  int end(int rectangle) {
    return end[rectangle];
  }

  /** Number of columns. */
  int length(int rectangle) {
    return end[rectangle] - first[rectangle];
  }

  long bytes(int rectangle) {
    return bytes[rectangle];
  }

  long alignment(int rectangle) {
    return alignment[rectangle];
  }

  double area(int rectangle) {
    return (double) bytes[rectangle] * length(rectangle);
  }

  /** The first of the columns at which most bytes are held. */
  int busiestColumn() {
    int busiest = 0;
    for (int column = 1; column < heldBytes.length; column++) {
      busiest = heldBytes[column] > heldBytes[busiest] ? column : busiest;
    }
    return busiest;
  }

  /** No arrangement is lower. */
  long boundBytes() {
    return boundBytes;
  }

  /** The rectangle's offset, when the caller has decided it; else {@link #NOT_PINNED}. */
  long pinnedAt(int rectangle) {
    return pinnedAt[rectangle];
  }

  boolean isPinned(int rectangle) {
    return pinnedAt[rectangle] != NOT_PINNED;
  }

  /** Whether two meet just when they share a column: no gaps, and no conflicts beyond time. */
  boolean isPlain() {
    return isPlain;
  }

  /** Whether a rectangle may meet others with which it shares no column. */
  boolean meetsBeyondTime(int rectangle) {
    return problem.conflicts().with(buffer[rectangle]).findAny().isPresent();
  }

  /** Whether the two must not share bytes. */
  boolean meet(int rectangle, int other) {
    return problem.conflicts(buffer[rectangle], buffer[other]);
  }

  /** Buffer indexes as rectangles, those left out that are no rectangles here or are pinned. */
  int[] rectanglesOf(int[] bufferSequence) {
    int[] rectangleOf = new int[problem.size()];
    Arrays.fill(rectangleOf, -1);
    for (int i = 0; i < buffer.length; i++) {
      rectangleOf[buffer[i]] = isPinned(i) ? -1 : i;
    }
    return IntStream.of(bufferSequence).map(index -> rectangleOf[index]).filter(i -> i >= 0).toArray();
  }

  /** Writes offsets by rectangle into an array by buffer index. */
  void writeByBuffer(long[] offsets, long[] byBuffer) {
    for (int i = 0; i < buffer.length; i++) {
      byBuffer[buffer[i]] = offsets[i];
    }
  }
}
