package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The buffers of a problem that take bytes, as flat arrays: each a rectangle, columns of time across and bytes high.
 *
 * <p>A column is a run of steps that ends where a buffer begins after another has ended: within a column some step
 * sees all the rectangles that any step of it sees, so steps inside need not be told apart. Lengths in columns ignore
 * steps at which nothing changes. Rectangles are numbered by first column, then by buffer. Immutable.
 */
final class Rectangles {
  private final int buffers;
  private final int[] buffer;
  private final int[] first;
  private final int[] end;
  private final long[] bytes;
  private final long[] alignment;
  private final long[] heldBytes;

  private Rectangles(MemoryProblem problem, int[] buffer, List<Lifetime> held) {
    this.buffers = problem.size();
    this.buffer = buffer;
    first = new int[buffer.length];
    end = new int[buffer.length];
    bytes = new long[buffer.length];
    alignment = new long[buffer.length];
    for (int i = 0; i < buffer.length; i++) {
      Buffer b = problem.buffer(buffer[i]);
      bytes[i] = b.reservedBytes();
      alignment[i] = b.alignment();
    }
    heldBytes = new long[number(held)];
    for (int i = 0; i < buffer.length; i++) {
      for (int column = first[i]; column < end[i]; column++) {
        heldBytes[column] += bytes[i];
      }
    }
  }

  static Rectangles of(MemoryProblem problem) {
    List<Lifetime> held = problem.held();
    int[] buffer = IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).reservedBytes() > 0).boxed()
      .sorted(Comparator.comparingInt((Integer i) -> held.get(i).first()).thenComparingInt(i -> i))
      .mapToInt(Integer::intValue).toArray();
    return new Rectangles(problem, buffer, held);
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

  /** Most bytes held at one column: no arrangement is lower. */
  long boundBytes() {
    return heldBytes[busiestColumn()];
  }

  /** Buffer indexes, those without bytes left out, as rectangles. */
  int[] rectanglesOf(int[] bufferSequence) {
    int[] rectangleOf = new int[buffers];
    Arrays.fill(rectangleOf, -1);
    for (int i = 0; i < buffer.length; i++) {
      rectangleOf[buffer[i]] = i;
    }
    return IntStream.of(bufferSequence).map(index -> rectangleOf[index]).filter(i -> i >= 0).toArray();
  }

  /** Offsets by rectangle as offsets by buffer index; 0 for those without bytes. */
  long[] offsetsByBuffer(long[] offsets) {
    long[] byBuffer = new long[buffers];
    for (int i = 0; i < buffer.length; i++) {
      byBuffer[buffer[i]] = offsets[i];
    }
    return byBuffer;
  }
}
