package dev.cairn.runtime.memory.planner.inductor;

/**
 * An allocated buffer with all that take over its bytes in place; it has one place. Its range grows while the lines are
 * read. Not for several threads.
 */
final class BufferGroup {
  /** The group's place among the program's groups. */
  final int number;
  /** The buffer that was allocated. */
  final LineBuffer buffer;
  /** Whether one of its buffers is an output. */
  boolean output;
  private int begin = Integer.MAX_VALUE;
  private int end = Integer.MIN_VALUE;

  BufferGroup(int number, LineBuffer buffer) {
    this.number = number;
    this.buffer = buffer;
  }

  /** It is allocated or freed at this step. */
  void usedAt(int step) {
    begin = Math.min(begin, step);
    end = Math.max(end, step);
  }

  LiveRange live() {
    return new LiveRange(begin, end);
  }
}
