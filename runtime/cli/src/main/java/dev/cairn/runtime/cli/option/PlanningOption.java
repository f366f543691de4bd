package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.compile.StandAlonePlanning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is planned if not a model, by whom, for how long, and how much it may take. */
public final class PlanningOption {
  /** What planners that search get for a model; the others need milliseconds. */
  private static final Duration MODEL_BUDGET = Duration.ofSeconds(1);

  @Option(names = "--csv", paramLabel = "FILE",
    description = "Plan this problem instead of a model: MiniMalloc's columns id,lower,upper,size.")
  private @Nullable Path csv;

  @Option(names = "--capacity", paramLabel = "BYTES", converter = ByteSize.Converter.class,
    description = "With --csv: what the plan must fit. Default: no limit.")
  private @Nullable ByteSize capacity;

  @Option(names = "--memory-limit", paramLabel = "2GiB", converter = ByteSize.Converter.class,
    description = "The most that weights, plan and results of a model together may take. Default: no limit.")
  private @Nullable ByteSize memoryLimit;

  @Option(names = "--planner", paramLabel = "NAME", converter = SessionOption.PlannerConverter.class,
    completionCandidates = SessionOption.PlannerNames.class,
    description = "Who places the buffers: ${COMPLETION-CANDIDATES}. Default: best-fit for a model, the best there is "
      + "for a problem.")
  private @Nullable PlannerChoice planner;

  @Option(names = "--budget", paramLabel = "2s", converter = TimeSpan.Converter.class,
    description = "How long a planner that searches may do so; others ignore it. Default: 1s for a model, 10s for a "
      + "problem.")
  private @Nullable TimeSpan budget;

  /** The problem's file, where one was given. */
  public Optional<Path> csv() {
    return Optional.ofNullable(csv);
  }

  /** What a model may take; no limit is the largest number. */
  public long memoryLimitBytes() {
    return memoryLimit == null ? Long.MAX_VALUE : memoryLimit.bytes();
  }

  /** What a problem's plan may take; no limit is the largest number. */
  public long capacityBytes() {
    return capacity == null ? Long.MAX_VALUE : capacity.bytes();
  }

  /** Whether a capacity was given: it is for problems. */
  public boolean hasCapacity() {
    return capacity != null;
  }

  /** Whether a limit was given: it is for models. */
  public boolean hasMemoryLimit() {
    return memoryLimit != null;
  }

  public PlannerChoice modelPlanner() {
    return planner == null ? PlannerChoice.BEST_FIT : planner;
  }

  public Duration modelBudget() {
    return budget == null ? MODEL_BUDGET : budget.duration();
  }

  public StandAlonePlanning standAlone() {
    return new StandAlonePlanning(Optional.ofNullable(planner),
      budget == null ? StandAlonePlanning.BEST.budget() : budget.duration());
  }
}
