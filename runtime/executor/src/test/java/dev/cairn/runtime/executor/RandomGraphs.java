package dev.cairn.runtime.executor;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random graphs full of what planning finds hard: shared operands, aliases, chains that may run in place, buffers of
 * several sizes that overlap in part, workspaces, nodes with several results of which some are never read, dead
 * ends.
 */
public final class RandomGraphs {
  private static final int MAX_ELEMENTS = 2_000;

  private final SplittableRandom random;
  private final GraphBuilder builder;
  private final List<Value> values = new ArrayList<>();

  private record Value(NodeEntry entry, Shape shape) {}

  private RandomGraphs(long seed) {
    random = new SplittableRandom(seed);
    builder = new GraphBuilder("random" + seed);
  }

  /** A graph of the inputs {@code a} and {@code b}, both float32[4x6]; every value has rank 2. */
  public static Graph of(long seed, int nodes) {
    var maker = new RandomGraphs(seed);
    maker.add(maker.builder.input("a", TensorType.of(DType.FLOAT32, 4, 6)), 4, 6);
    maker.add(maker.builder.input("b", TensorType.of(DType.FLOAT32, 4, 6)), 4, 6);
    for (int i = 0; i < nodes; i++) {
      maker.addNode();
    }
    int outputs = 1 + maker.random.nextInt(3);
    for (int i = 0; i < outputs; i++) {
      maker.builder.output("out" + i, maker.any().entry());
    }
    maker.builder.output("last", maker.values.getLast().entry());
    return maker.builder.build();
  }

  private void add(NodeEntry entry, long rows, long columns) {
    values.add(new Value(entry, Shape.of(rows, columns)));
  }

  private Value any() {
    return values.get(random.nextInt(values.size()));
  }

  private void addNode() {
    Value x = any();
    long rows = x.shape().extent(0);
    long columns = x.shape().extent(1);
    switch (random.nextInt(11)) {
      case 0 -> add(builder.apply("Relu", x.entry()), rows, columns);
      case 1 -> add(builder.apply("Tanh", x.entry()), rows, columns);
      case 2 -> add(builder.apply("Add", x.entry(), alike(x).entry()), rows, columns);
      case 3 -> add(builder.apply("Sum", x.entry(), alike(x).entry(), x.entry()), rows, columns);
      case 4 -> add(builder.apply("Reshape", x.entry(), longs("shape", columns, rows)), columns, rows);
      case 5 -> add(builder.apply("Mul", x.entry(), floats(random.nextInt(5) - 2f)), rows, columns);
      case 6 -> add(builder.apply("Transpose", x.entry()), columns, rows);
      case 7 -> add(builder.apply("Softmax", axis(-1), x.entry()), rows, columns);
      case 8 -> concatenate(x);
      case 9 -> split(x);
      default -> multiply(x);
    }
  }

  private void concatenate(Value x) {
    Value y = alike(x);
    if (2 * x.shape().elementCount() <= MAX_ELEMENTS) {
      add(builder.apply("Concat", axis(1), x.entry(), y.entry()), x.shape().extent(0), 2 * x.shape().extent(1));
    }
  }

  /** Two results of different sizes, of which later nodes may read one, both or none. */
  private void split(Value x) {
    long rows = x.shape().extent(0);
    if (rows < 2) {
      return;
    }
    long first = 1L + random.nextInt((int) rows - 1);
    List<NodeEntry> parts = builder.applyForAll("Split", axis(0), 2, x.entry(), longs("split", first, rows - first));
    add(parts.get(0), first, x.shape().extent(1));
    add(parts.get(1), rows - first, x.shape().extent(1));
  }

  /** With the value's own transposition, so that shapes always fit; damped, so that chains of products stay finite. */
  private void multiply(Value x) {
    long rows = x.shape().extent(0);
    if (rows * rows > MAX_ELEMENTS) {
      return;
    }
    NodeEntry product = builder.apply("MatMul", builder.apply("Tanh", x.entry()),
      builder.apply("Transpose", x.entry()));
    add(builder.apply("Mul", product, floats(0.125f)), rows, rows);
  }

  private Value alike(Value x) {
    List<Value> fitting = values.stream().filter(it -> it.shape().equals(x.shape())).toList();
    return fitting.get(random.nextInt(fitting.size()));
  }

  private NodeEntry longs(String name, long... values) {
    return builder.constant(name, TensorView.ofLongs(values));
  }

  private NodeEntry floats(float value) {
    return builder.constant("c", TensorView.ofFloats(Shape.of(1), value));
  }

  private static Attributes axis(long axis) {
    return Attributes.of(Map.of("axis", new AttributeValue.Int(axis)));
  }
}
