package dev.cairn.benchmarks.remat;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.runtime.memory.remat.RematAnswer;
import dev.cairn.runtime.memory.remat.RematCsv;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.memory.remat.search.RematPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A training graph that was published.
 *
 * @param peakBytes in the file's order
 */
record PublishedGraph(String name, RematProblem problem, long peakBytes) {
  /** An answer, and what finding it took. */
  record Planned(RematAnswer answer, double seconds) {}

  static Optional<PublishedGraph> read(Places places, String name) throws IOException {
    Path file = places.data("remat/" + name + ".csv");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    RematProblem problem = RematCsv.read(file);
    return Optional.of(new PublishedGraph(name, problem, WordJudge.peak(problem, problem.givenOrder())));
  }

  /** @param work what the search may cost; 0 for the planner's default */
  Planned within(long budgetBytes, long work) {
    return planned(problem, budgetBytes, work);
  }

  static Planned planned(RematProblem problem, long budgetBytes, long work) {
    long started = System.nanoTime();
    RematAnswer answer = work == 0
      ? RematPlanner.plan(problem, budgetBytes)
      : RematPlanner.plan(problem, budgetBytes, work);
    double seconds = (System.nanoTime() - started) / 1e9;
    if (answer.fits() && (WordJudge.peak(problem, answer.word()) > budgetBytes || answer.cost() < answer.bound())) {
      throw new IllegalStateException("an answer is not as it says: budget=%d".formatted(budgetBytes));
    }
    return new Planned(answer, seconds);
  }
}
