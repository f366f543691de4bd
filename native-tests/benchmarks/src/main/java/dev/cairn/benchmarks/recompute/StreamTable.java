package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.memory.recompute.stream.StreamAnswer;
import dev.cairn.runtime.memory.recompute.stream.StreamPlanner;
import dev.cairn.runtime.memory.recompute.stream.StreamProblem;
import java.util.List;
import java.util.Optional;

/** Weights that are copied in each run, as predicted: no GPU is asked. */
final class StreamTable implements RecomputeTable {
  private static final double LINK = 24e9;
  private static final double LEAST_RATE = 0.85;
  private static final double LEAST_SPEEDUP = 1.5;
  private static final List<Integer> TOKENS = List.of(256, 1024, 4096, 8192, 16384);

  @Override
  public String name() {
    return "stream";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) {
    var table = new MarkdownTable("tokens", "limit, MiB", "weights, MiB", "copied, MiB", "copies / steps",
      "rate / possible", "speed-up over waiting");
    double rate = 1;
    double speedup = Double.POSITIVE_INFINITY;
    for (int tokens : isQuick ? TOKENS.subList(0, 1) : TOKENS) {
      var model = new Transformer(24, 1024, tokens);
      double perByte = Transformer.workPerByte(LINK);
      long values = 2 * 4L * tokens * 1024;
      long capacity = values + model.weightBytes() / 2;
      StreamProblem problem = model.inference(capacity, perByte);
      StreamAnswer answer = StreamPlanner.plan(problem);
      double copies = answer.copiedBytes() * perByte;
      double ofPossible = Math.max(copies, (double) answer.work()) / answer.takenWork();
      double faster = (copies + answer.work()) / answer.takenWork();
      rate = Math.min(rate, ofPossible);
      // Where copies take far longer or far shorter than steps, there is little to overlap.
      speedup = 2 * copies > answer.work() && copies < 2.0 * answer.work() ? Math.min(speedup, faster) : speedup;
      table.row(Integer.toString(tokens), mib(capacity), mib(model.weightBytes()), mib(answer.copiedBytes()), number(2,
        copies / answer.work()), number(3, ofPossible), number(2, faster));
    }
    return Optional.of(new Section("Streamed weights, predicted",
      """
        A transformer of 24 layers, 1,024 wide, that infers within half of its weights and its values, on the GPU above
        with a link of 24 GB/s. These are the planner's own estimates, as above. The possible rate is that of the
        slower of the two, copies or steps. Judged: the worst rate, and the least speed-up over a run whose steps wait
        for each copy, where copies and steps take about as long.""", table, isQuick
        ? List.of()
        : List.of(Figure.judged("stream-rate", rate, 3, Goal.atLeast(LEAST_RATE)), Figure.judged("stream-speedup",
          speedup, 2, Goal.atLeast(LEAST_SPEEDUP)))));
  }

  private static String mib(long bytes) {
    return number(1, bytes / (double) (1 << 20));
  }
}
