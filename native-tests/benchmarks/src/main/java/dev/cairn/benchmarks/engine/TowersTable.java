package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** The gain by a second processor for a model of two branches: with a stream for each, and with kernels that share. */
final class TowersTable implements EngineTable {
  private static final Goal FASTER = Goal.atLeast(1);
  private static final int SIDE = 384;
  private static final int HEIGHT = 5;
  private static final int RUNS = 5;
  private static final String TEXT = """
    Two towers of five products of 384x384 matrices, each with a function of every element after it, from one input and
    joined by a sum. One thread does all in line; two threads share the work of each kernel; with two streams, each
    tower has a thread of its own, in a plan that may take twice the memory. All give the same to the bit, which is
    checked.
    """;

  @Override
  public String name() {
    return "towers";
  }

  @Override
  public Section measured(Rivals rivals, EngineEffort effort) {
    CompileOptions streams = CompileOptions.DEFAULT.withStreams(2).withStreamMemory(2);
    Map<String, Tensor> inputs = Map.of("x", Tensor.of(numbers(), SIDE, SIDE));
    try (var one = Session.of(towers(), SessionOptions.DEFAULT.withThreads(1));
      var shared = Session.of(towers(), SessionOptions.DEFAULT.withThreads(2));
      var streamed = Session.of(towers(), SessionOptions.DEFAULT.withThreads(2).withCompile(streams))) {
      float[] wanted = output(one, inputs);
      if (!Arrays.equals(wanted, output(shared, inputs)) || !Arrays.equals(wanted, output(streamed, inputs))) {
        throw new AssertionError("two streams or two threads compute something else");
      }
      return section(Rounds.played(effort.rounds(), List.of(turn(one, inputs), turn(shared, inputs), turn(streamed,
        inputs))));
    }
  }

  private static Section section(Rounds played) {
    double line = played.of(0).median() / 1e6;
    double shared = played.of(1).median() / 1e6;
    double streamed = played.of(2).median() / 1e6;
    List<Figure> figures = List.of(Figure.judged("towers-2streams-factor", line / streamed, 2, FASTER));
    var table = new MarkdownTable("run", "ms", "times as fast", "goal")
      .row("in line on one thread", two(line), "", "")
      .row("in line, kernels on two threads", two(shared), two(line / shared), "")
      .row("two streams of one thread", two(streamed), two(line / streamed), FASTER.toString());
    System.err.println("towers: " + figures);
    return new Section("Two branches", TEXT, table, figures);
  }

  private static String two(double value) {
    return MarkdownTable.number(2, value);
  }

  private static Graph towers() {
    var builder = new GraphBuilder("towers");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, SIDE, SIDE));
    NodeEntry left = x;
    NodeEntry right = x;
    NodeEntry leftWeight = builder.constant("left", TensorView.ofFloats(Shape.of(SIDE, SIDE), numbers()));
    NodeEntry rightWeight = builder.constant("right", TensorView.ofFloats(Shape.of(SIDE, SIDE), numbers()));
    for (int i = 0; i < HEIGHT; i++) {
      left = builder.apply("Tanh", builder.apply("MatMul", left, leftWeight));
      right = builder.apply("Sigmoid", builder.apply("MatMul", right, rightWeight));
    }
    builder.output("y", builder.apply("Add", left, right));
    return builder.build();
  }

  private static float[] numbers() {
    float[] values = new float[SIDE * SIDE];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i) / SIDE;
    }
    return values;
  }

  private static float[] output(Session session, Map<String, Tensor> inputs) {
    try (Result result = session.run(inputs)) {
      return result.get("y").toFloatArray();
    }
  }

  /** Nanoseconds a run. */
  private static DoubleSupplier turn(Session session, Map<String, Tensor> inputs) {
    return () -> {
      long begin = System.nanoTime();
      for (int i = 0; i < RUNS; i++) {
        session.run(inputs).close();
      }
      return (System.nanoTime() - begin) / (double) RUNS;
    };
  }
}
