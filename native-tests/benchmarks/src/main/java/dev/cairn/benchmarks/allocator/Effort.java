package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.workload.BatchWorkload;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How much is measured, and how often.
 *
 * @param rounds in which all that is compared has its turn; in {@code live} up to 100,000 chunks, and in
 *     {@code threads}, there are {@link #manyRounds}
 * @param processes that {@code hot} and {@code live} are played in, each with an equal part of the rounds, which are
 *     rounded up to that
 * @param warmups untimed invocations at the beginning of each turn
 * @param invocations timed ones, of which the median counts
 * @param pairs operations an invocation of the hot path: whole batches
 * @param replaced operations an invocation where many chunks are replaced
 * @param live how many chunks are live then, in rising order; the last one is drained
 * @param isolated free chunks that are too small
 * @param searches requests past those, where each takes long
 * @param threadMillis for how long many threads run at a time
 */
record Effort(int rounds, int processes, int warmups, int invocations, int pairs, int replaced, List<Integer> live,
  int isolated, int searches, int threadMillis) {
  /** For figures that are kept. */
  static final Effort FULL = new Effort(10, 5, 2, 3, 2_000_000, 300_000, List.of(1_000, 10_000, 100_000, 1_000_000),
    100_000, 100, 200);
  /** The full sizes with fewer rounds: to see that all works, and the rough figures. */
  static final Effort QUICK = new Effort(4, 2, 2, 1, 500_000, 100_000, FULL.live, FULL.isolated, 20, 50);

  /** With more live blocks than these a turn is long, since making them takes long. */
  static final int MOST_LIVE_OF_SHORT_TURNS = 100_000;

  private static final int MOST_LIVE_IN_CACHES = 10_000;
  private static final int FASTER_IN_CACHES = 4;
  private static final int ROUNDS_WHERE_SHORT = 3;

  Effort {
    live = List.copyOf(live);
    if (rounds < 1 || processes < 1) {
      throw new IllegalArgumentException("at least 1 of each: rounds=%d processes=%d".formatted(rounds, processes));
    }
    if (pairs % BatchWorkload.BATCH != 0) {
      throw new IllegalArgumentException("not whole batches: pairs=%d batch=%d".formatted(pairs, BatchWorkload.BATCH));
    }
  }

  Effort withRounds(int newRounds) {
    return new Effort(newRounds, processes, warmups, invocations, pairs, replaced, live, isolated, searches,
      threadMillis);
  }

  /** Rounds where turns are short: what else the machine does weighs more there, and evens out only over many. */
  int manyRounds() {
    return ROUNDS_WHERE_SHORT * rounds;
  }

  /** Rounds with {@code live} chunks: many, but where these take long to make. */
  int rounds(int live) {
    return live > MOST_LIVE_OF_SHORT_TURNS ? rounds : manyRounds();
  }

  /**
   * How many rounds one process plays where so many are wanted: an even number, so that each allocator is as often the
   * first, in all processes the same, and together not fewer.
   */
  int roundsOfAProcess(int wanted) {
    return 2 * Math.ceilDiv(wanted, 2 * processes);
  }

  /** How many rounds all processes play together where so many are wanted. */
  int roundsOfAll(int wanted) {
    return processes * roundsOfAProcess(wanted);
  }

  int mostLive() {
    return live.getLast();
  }

  /** Operations an invocation: more where they are fast, so that all take long enough to be timed. */
  int replaced(int live) {
    return live > MOST_LIVE_IN_CACHES ? replaced : FASTER_IN_CACHES * replaced;
  }

  /** All of it in one word, as {@link #parse} takes it. */
  @Override
  public String toString() {
    return Stream.concat(Stream.of(rounds, processes, warmups, invocations, pairs, replaced, isolated, searches,
      threadMillis), live.stream()).map(String::valueOf).collect(Collectors.joining(","));
  }

  /** The effort with this name. */
  static Effort parse(String word) {
    List<Integer> all = Arrays.stream(word.split(",")).map(Integer::valueOf).toList();
    Iterator<Integer> next = all.iterator();
    return new Effort(next.next(), next.next(), next.next(), next.next(), next.next(), next.next(),
      all.subList(9, all.size()), next.next(), next.next(), next.next());
  }
}
