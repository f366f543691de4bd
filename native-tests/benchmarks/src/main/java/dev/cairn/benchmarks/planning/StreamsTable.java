package dev.cairn.benchmarks.planning;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import java.util.List;

/** The cost of running branches of a model at the same time, on two streams. */
final class StreamsTable implements PlanningTable {
  private static final double MOST_OF_SERIAL = 1.10;

  @Override
  public String name() {
    return "streams";
  }

  @Override
  public List<Section> measured(Places places, PlanningEffort effort) {
    var table = new MarkdownTable("model", "steps", "beside the first stream", "events", "serial, MB",
      "two streams, MB", "ratio");
    double worst = 0;
    for (OwnModel model : OwnModel.all(places)) {
      System.err.printf("streams          %s%n", model.name());
      CompiledGraph serial = model.compiled(CompileOptions.DEFAULT);
      CompiledGraph two = model.compiled(CompileOptions.DEFAULT.withStreams(2));
      long serialBytes = serial.plan().peakBytes();
      long twoBytes = two.plan().peakBytes();
      double ratio = twoBytes == serialBytes ? 1 : (double) twoBytes / serialBytes;
      worst = Math.max(worst, ratio);
      int steps = two.schedule().steps().size();
      table.row(model.name(), Integer.toString(steps), Long.toString(steps - two.schedule().stepsOn(0)), Long
        .toString(two.schedule().events()), number(3, serialBytes / 1e6), number(3, twoBytes / 1e6), number(4, ratio));
    }
    return List.of(new Section("Two streams", """
      Plans with which steps of two branches may run at the same time, over the plans of the serial run. Every one is
      proved by vector clocks: nothing that may run at the same time shares bytes. "beside" is how many steps have a
      stream of their own, "events" how often one waits for the other. A branch for which the limit leaves no room
      runs on the first stream, so that the goal, at most %s, costs concurrency where it would cost memory."""
      .formatted(number(2, MOST_OF_SERIAL)), table,
      List.of(
        Figure.judged("streams-worst", worst, 4, Goal.atMost(MOST_OF_SERIAL)))));
  }
}
