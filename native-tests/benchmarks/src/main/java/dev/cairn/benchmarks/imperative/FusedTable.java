package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.ArrayList;
import java.util.List;

/** What a bulk saves that fuses elementwise calls: time and bytes. */
final class FusedTable {
  private static final int[] ELEMENTS = {1 << 14, 1 << 17, 1 << 20};
  private static final int BULK = 15;
  private static final int PASSES = 1 << 22;
  private static final Goal TIME = Goal.atMost(1);
  private static final Goal BYTES = Goal.atMost(0.5);
  private static final String TEXT = """
    Microseconds until the result is there of eight elementwise calls in a row, `x.mul(2).add(1).abs().sub(x).mul(x)
    .add(x).maximum(x).mul(0.5)`, one thread a kernel, whose temporaries a scope closes: call by call, and in a bulk of
    15, which makes one kernel of them. Bytes are the peak of what arrays take beside `x`.
    """;

  private FusedTable() {}

  /** One size, with its own runtimes, so that each has its own peak. */
  private static final class Chain implements AutoCloseable {
    private final ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1));
    private final NDArray x;
    private final int bulk;
    private final int passes;

    Chain(int elements, int bulk, ImperativeEffort effort) {
      this.x = arrays.ones(DType.FLOAT32, elements);
      this.bulk = bulk;
      this.passes = Math.max(1, Math.min(effort.batches(), PASSES / elements));
      x.waitToRead();
    }

    double micros() {
      long start = System.nanoTime();
      for (int pass = 0; pass < passes; pass++) {
        NDArray result;
        try (Engine.Bulk _ = arrays.bulk(bulk); ArrayScope scope = arrays.scope()) {
          result = scope.release(x.mul(2).add(1).abs().sub(x).mul(x).add(x).maximum(x).mul(0.5));
        }
        result.waitToRead();
        result.close();
      }
      return (System.nanoTime() - start) / 1e3 / passes;
    }

    long bytes() {
      return arrays.stats().memory().peakBytesInUse() - x.type().bytes();
    }

    @Override
    public void close() {
      x.close();
      arrays.close();
    }
  }

  private static String micros(Rounds rounds, int contestant) {
    return MarkdownTable.number(1, rounds.of(contestant).median());
  }

  private static String bytes(Chain chain) {
    return MarkdownTable.number(0, (double) chain.bytes());
  }

  static Section measured(ImperativeEffort effort) {
    var table = new MarkdownTable("floats", "calls, µs", "bulk, µs", "bulk / calls (spread)", "goal", "calls, bytes",
      "bulk, bytes", "goal");
    List<Figure> figures = new ArrayList<>();
    for (int elements : ELEMENTS) {
      try (var calls = new Chain(elements, 0, effort); var fused = new Chain(elements, BULK, effort)) {
        Rounds rounds = effort.played(List.of(calls::micros, fused::micros));
        var time = Figure.judged("fused" + elements + "/calls", rounds.ratios(1, 0).median(), 2, TIME);
        var bytes = Figure.judged("fused" + elements + "-bytes/calls", (double) fused.bytes() / calls.bytes(), 2,
          BYTES);
        figures.add(time);
        figures.add(bytes);
        String ratio = rounds.ratios(1, 0).withSpread();
        table.row(MarkdownTable.number(0, elements), micros(rounds, 0), micros(rounds, 1), ratio, TIME.toString(),
          bytes(calls), bytes(fused), BYTES.toString());
      }
    }
    return new Section("Fused calls", TEXT, table, figures);
  }
}
