package dev.cairn.runtime.engine;

import java.util.List;

/**
 * A piece of work and the variables it touches; made once and pushed any number of times.
 *
 * @param name for people: errors and traces
 * @param reads variables whose writers must have ended
 * @param writes variables whose readers and writers must have ended; none of them is also in {@code reads}
 */
public record Task(String name, List<Variable> reads, List<Variable> writes, Runnable work) {
  public Task {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    for (int i = 0; i < writes.size(); i++) {
      Variable written = writes.get(i);
      if (reads.contains(written) || writes.subList(i + 1, writes.size()).contains(written)) {
        throw new IllegalArgumentException(
          "a variable twice in one task: task=%s variable=%s".formatted(name, written));
      }
    }
  }
}
