package dev.cairn.benchmarks.allocator.workload;

import dev.cairn.benchmarks.allocator.arena.Arena;

/**
 * Many chunks of mixed sizes that are held at once, and replaced at random. The same calls each time, whatever the
 * arena.
 */
public final class LiveChunks {
  private final Xorshift random = new Xorshift();
  private final long[] tokens;

  /** None yet. */
  public LiveChunks(int count) {
    this.tokens = new long[count];
  }

  /** Takes all of them. */
  public void fill(Arena arena) {
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = arena.grant(random.bytes());
    }
  }

  /** Returns some chunk and takes another, this many times. */
  public void replace(Arena arena, int times) {
    for (int i = times; i > 0; i--) {
      int place = place();
      arena.release(tokens[place]);
      tokens[place] = arena.grant(random.bytes());
    }
  }

  /** Gives all back, in the order of their places. */
  public void drain(Arena arena) {
    for (long token : tokens) {
      arena.release(token);
    }
  }

  /** The place of the next one to be replaced: for callers that replace chunks themselves. */
  public int place() {
    return random.below(tokens.length);
  }

  /** The size of the next chunk. */
  public long bytes() {
    return random.bytes();
  }

  /** The chunk at a place. */
  public long token(int place) {
    return tokens[place];
  }

  /** Puts one at a place. */
  public void put(int place, long token) {
    tokens[place] = token;
  }

  /** How many there are. */
  public int count() {
    return tokens.length;
  }
}
