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
 * Random graphs full of what planning finds hard: shared operands, aliases, chains that may run in place, several
 * outputs, dead ends.
 */
public final class RandomGraphs {
  private static final long[][] SHAPES = {{4, 6}, {6, 4}, {24}, {2, 3, 4}};

  private final SplittableRandom random;
  private final GraphBuilder builder;
  private final List<NodeEntry> values = new ArrayList<>();
  private final List<Integer> shapes = new ArrayList<>();

  private RandomGraphs(long seed) {
    random = new SplittableRandom(seed);
    builder = new GraphBuilder("random" + seed);
  }

  /** A graph of the inputs {@code a} and {@code b}, both float32[4x6]. */
  public static Graph of(long seed, int nodes) {
    var maker = new RandomGraphs(seed);
    maker.add(maker.builder.input("a", TensorType.of(DType.FLOAT32, 4, 6)), 0);
    maker.add(maker.builder.input("b", TensorType.of(DType.FLOAT32, 4, 6)), 0);
    for (int i = 0; i < nodes; i++) {
      maker.addNode();
    }
    int outputs = 1 + maker.random.nextInt(3);
    for (int i = 0; i < outputs; i++) {
      maker.builder.output("out" + i, maker.values.get(maker.random.nextInt(maker.values.size())));
    }
    maker.builder.output("last", maker.values.getLast());
    return maker.builder.build();
  }

  private void add(NodeEntry entry, int shape) {
    values.add(entry);
    shapes.add(shape);
  }

  private void addNode() {
    int at = random.nextInt(values.size());
    NodeEntry value = values.get(at);
    int shape = shapes.get(at);
    switch (random.nextInt(8)) {
      case 0 -> add(builder.apply("Relu", value), shape);
      case 1 -> add(builder.apply("Tanh", value), shape);
      case 2 -> add(builder.apply("Add", value, sameShape(shape)), shape);
      case 3 -> add(builder.apply("Mul", sameShape(shape), value), shape);
      case 4 -> {
        int to = random.nextInt(SHAPES.length);
        add(builder.apply("Reshape", value, builder.constant("shape", TensorView.ofLongs(SHAPES[to]))), to);
      }
      case 5 -> add(
        builder.apply("Add", value, builder.constant("c", TensorView.ofFloats(Shape.of(1), random.nextInt(5) - 2f))),
        shape);
      case 6 -> add(shape < 2 ? builder.apply("Transpose", value) : builder.apply("Identity", value),
        shape < 2 ? 1 - shape : shape);
      default -> softmax(value, shape);
    }
  }

  private void softmax(NodeEntry value, int shape) {
    add(builder.apply("Softmax", Attributes.of(Map.of("axis", new AttributeValue.Int(-1))), value), shape);
  }

  private NodeEntry sameShape(int shape) {
    List<NodeEntry> fitting = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      if (shapes.get(i) == shape) {
        fitting.add(values.get(i));
      }
    }
    return fitting.get(random.nextInt(fitting.size()));
  }
}
