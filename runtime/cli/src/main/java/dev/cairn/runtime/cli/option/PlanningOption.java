package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.compile.StandAlonePlanning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is planned if not a model, by whom, for how long, and how much it may take. */
@HelpSection.In(HelpSection.MEMORY)
public final class PlanningOption {
  /** What planners that search get for a model; the others need milliseconds. */
  private static final Duration MODEL_BUDGET = Duration.ofSeconds(1);

  @HelpSection.Common
  @HelpSection.In(HelpSection.MODEL)
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--csv", paramLabel = "FILE",
    description = "Plan this problem instead of a model: MiniMalloc's columns id,lower,upper,size.")
  private @Nullable Path csv;

  @HelpSection.Common
  @Option(names = "--capacity", paramLabel = "BYTES", converter = BytesOrPart.Converter.class,
    description = "With --csv: memory of each device, which the plan must fit; with --recompute-csv also a part, as "
      + "50%%. Default: no limit.")
  private @Nullable BytesOrPart capacity;

  @Mixin
  private LimitOption memoryLimit = new LimitOption();

  @HelpSection.Common
  @HelpSection.In(HelpSection.MEMORY)
  @Option(names = "--planner", paramLabel = "NAME", converter = SessionOption.PlannerConverter.class,
    completionCandidates = SessionOption.PlannerNames.class,
    description = "Memory planner: ${COMPLETION-CANDIDATES}. Default: best-fit for a model, the best planner "
      + "for a problem.")
  private @Nullable PlannerChoice planner;

  @Option(names = "--budget", paramLabel = "2s", converter = TimeSpan.Converter.class,
    description = "How long a search planner may search; others ignore it. Default: 1s for a model, 10s for a "
      + "problem.")
  private @Nullable TimeSpan budget;

  /** The problem's file, where one was given. */
  public Optional<Path> csv() {
    return Optional.ofNullable(csv);
  }

  /** What a model may take; empty for no limit. */
  public Optional<BytesOrPart> memoryLimit() {
    return memoryLimit.limit();
  }

  /** What a problem's plan may take of each device; empty for no limit. */
  public OptionalLong capacity() {
    return capacity == null ? OptionalLong.empty() : OptionalLong.of(capacity.of(0));
  }

  /** The same as it was given: bytes, or a part of what a graph takes. */
  public Optional<BytesOrPart> capacityOrPart() {
    return Optional.ofNullable(capacity);
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
