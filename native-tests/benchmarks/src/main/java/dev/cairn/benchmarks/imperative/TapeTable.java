package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.List;
import java.util.function.DoubleSupplier;

/** N5: what recording and a backward cost. */
final class TapeTable {
  private static final int ELEMENTS = 16;
  private static final int OPERATIONS = 100;
  private static final Goal GOAL = Goal.atMost(5);
  private static final String TEXT = """
    Microseconds for each of 100 small operations on arrays of 16 floats, products and sums by turns, until all results
    are there: recorded, with their backward; and the same operations without recording.
    """;

  private TapeTable() {}

  static Section measured(ImperativeEffort effort) {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1)); var _ = arrays.scope()) {
      NDArray w = arrays.ones(DType.FLOAT32, ELEMENTS).attachGradient();
      NDArray b = arrays.ones(DType.FLOAT32, ELEMENTS).attachGradient();
      DoubleSupplier recorded = micros(effort, arrays, () -> {
        NDArray y;
        try (var _ = Autograd.record()) {
          y = operations(w, b);
        }
        y.backward();
      });
      DoubleSupplier plain = micros(effort, arrays, () -> operations(w, b));
      return section(effort.played(List.of(recorded, plain)));
    }
  }

  private static NDArray operations(NDArray w, NDArray b) {
    NDArray y = w;
    for (int i = 0; i < OPERATIONS / 2; i++) {
      y = y.mul(w).add(b);
    }
    return y;
  }

  private static DoubleSupplier micros(ImperativeEffort effort, ArrayRuntime arrays, Runnable pass) {
    int passes = effort.batches();
    return () -> {
      long start = System.nanoTime();
      for (int i = 0; i < passes; i++) {
        try (var _ = arrays.scope()) {
          pass.run();
          arrays.waitAll();
        }
      }
      return (System.nanoTime() - start) / 1e3 / passes / OPERATIONS;
    };
  }

  private static Section section(Rounds rounds) {
    var figure = Figure.judged("tape-us", rounds.of(0).median(), 2, GOAL);
    var table = new MarkdownTable("what", "µs an operation", "goal").row("N5, recorded, with backward", MarkdownTable
      .number(2, figure.value()), GOAL.toString()).row("not recorded", MarkdownTable.number(2, rounds.of(1).median()),
        "");
    return new Section("The tape", TEXT, table, List.of(figure));
  }
}
