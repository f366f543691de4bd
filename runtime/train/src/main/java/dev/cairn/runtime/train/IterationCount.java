package dev.cairn.runtime.train;

import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import java.util.Arrays;
import java.util.Map;

/** How far a training is: iterations that have run, updates that were left out, and the state of random numbers. */
final class IterationCount {
  private static final String SKIPPED = "skippedUpdates";

  private final RandomState random;
  private long iterations;
  private long skipped;

  private IterationCount(RandomState random, long iterations, long skipped) {
    this.random = random;
    this.iterations = iterations;
    this.skipped = skipped;
  }

  static IterationCount fromSeed(long seed) {
    return new IterationCount(new RandomState(seed), 0, 0);
  }

  /** @throws IllegalArgumentException when an entry is missing, or no number */
  static IterationCount of(Checkpoint checkpoint) {
    long[] state = Arrays.stream(checkpoint.text(Checkpoint.RANDOM).split(",", -1)).mapToLong(Long::parseLong)
      .toArray();
    return new IterationCount(RandomState.restored(state), checkpoint.number(Checkpoint.ITERATION), checkpoint
      .metadata().containsKey(SKIPPED) ? checkpoint.number(SKIPPED) : 0);
  }

  void save(Map<String, String> metadata) {
    metadata.put(Checkpoint.ITERATION, Long.toString(iterations));
    metadata.put(SKIPPED, Long.toString(skipped));
    long[] state = random.save();
    metadata.put(Checkpoint.RANDOM, state[0] + "," + state[1]);
  }

  void add(TrainingSession.Outcome outcome) {
    iterations++;
    skipped += outcome.isSkipped() ? 1 : 0;
  }

  RandomState random() {
    return random;
  }

  long iterations() {
    return iterations;
  }

  long skipped() {
    return skipped;
  }

  /** @param accumulate how many iterations precede an update */
  long updates(int accumulate) {
    return iterations / accumulate - skipped;
  }
}
