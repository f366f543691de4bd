package dev.cairn.runtime.memory.recompute.offload;

/**
 * A version of a value that waits in the host's memory. Steps are those of the word, without copies.
 *
 * @param value its number in the problem
 * @param bytes of the value
 * @param from the last step that uses it before: the copy out begins after it
 * @param to the next step that reads it: it waits for the copy in
 * @param out the step before which the copy out has ended, so that its bytes are free from there on; after {@code from}
 * @param in the step before which the copy in is issued, which takes bytes from there on; from {@code out} to {@code
 *   to}
 */
public record OffloadMove(int value, long bytes, int from, int to, int out, int in) {
  public OffloadMove {
    if (from >= out || out > in || in > to) {
      throw new IllegalArgumentException("a move goes out and comes in between two uses: from=%d out=%d in=%d to=%d"
        .formatted(from, out, in, to));
    }
  }

  /** The same with other steps for its copies. */
  OffloadMove at(int newOut, int newIn) {
    return new OffloadMove(value, bytes, from, to, newOut, newIn);
  }

  /** Whether its bytes are on the host while a step runs. */
  boolean relieves(int step) {
    return out <= step && step < in;
  }
}
