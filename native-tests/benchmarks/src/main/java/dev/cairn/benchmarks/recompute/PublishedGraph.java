package dev.cairn.benchmarks.recompute;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeCsv;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.search.RecomputePlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A training graph that was published.
 *
 * @param peakBytes in the file's order
 */
record PublishedGraph(String name, RecomputeProblem problem, long peakBytes) {
  /** An answer, and what finding it took. */
  record Planned(RecomputeAnswer answer, double seconds) {}

  static Optional<PublishedGraph> read(Places places, String name) throws IOException {
    Path file = places.data("remat/" + name + ".csv");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    RecomputeProblem problem = RecomputeCsv.read(file);
    return Optional.of(new PublishedGraph(name, problem, WordJudge.peak(problem, problem.givenOrder())));
  }

  /** @param work what the search may cost; 0 for the planner's default */
  Planned within(long budgetBytes, long work) {
    return planned(problem, budgetBytes, work);
  }

  static Planned planned(RecomputeProblem problem, long budgetBytes, long work) {
    long started = System.nanoTime();
    RecomputeAnswer answer = work == 0
      ? RecomputePlanner.plan(problem, budgetBytes)
      : RecomputePlanner.plan(problem, budgetBytes, work);
    double seconds = (System.nanoTime() - started) / 1e9;
    if (answer.fits() && (WordJudge.peak(problem, answer.word()) > budgetBytes || answer.cost() < answer.bound())) {
      throw new IllegalStateException("an answer is not as it says: budget=%d".formatted(budgetBytes));
    }
    return new Planned(answer, seconds);
  }
}
