package dev.cairn.conformance;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A random model of many operators, while it is put together. Whatever may grow goes through a function that bounds
 * it, so that roundings stay small; steps, such as {@code Floor}, would turn them into differences and are left out.
 * The seed decides everything.
 */
final class RandomModel {
  private static final long MOST_ELEMENTS = 20_000;
  private static final int[] EXTENTS = {1, 2, 3, 4, 5, 8, 9, 16, 17};

  private final SplittableRandom random;
  private final GraphBuilder graph;
  private final List<Value> values = new ArrayList<>();
  private final Set<NodeEntry> read = new HashSet<>();
  private final Map<String, TensorView> inputs = new LinkedHashMap<>();

  /** A finished model, the types of its outputs, and what goes in. */
  record Made(Graph graph, List<DeclaredType> outputs, Map<String, TensorView> inputs) {}

  /** A result in the making, {@code float32}. */
  record Value(NodeEntry entry, Shape shape) {
    int rank() {
      return shape.rank();
    }
  }

  private RandomModel(long seed) {
    this.random = new SplittableRandom(seed);
    this.graph = new GraphBuilder("random" + seed);
  }

  static Made of(long seed) {
    var model = new RandomModel(seed);
    for (int i = model.number(1, 3); i > 0; i--) {
      model.addInput();
    }
    var operators = new RandomOperators(model);
    for (int i = model.number(3, 16); i > 0; i--) {
      operators.add(model.any());
    }
    return model.build();
  }

  private void addInput() {
    long[] extents = new long[number(1, 4)];
    Arrays.setAll(extents, i -> extents.length == 4 && i < 2 ? number(1, 6) : EXTENTS[random.nextInt(EXTENTS.length)]);
    TensorView value = floats(Shape.of(extents));
    String name = "input" + inputs.size();
    inputs.put(name, value);
    values.add(new Value(graph.input(name, value.type()), value.shape()));
  }

  /** What nothing reads is a result, and now and then something else. */
  private Made build() {
    List<DeclaredType> outputs = new ArrayList<>();
    for (Value value : values) {
      if (!read.contains(value.entry) || number(0, 15) == 0) {
        graph.output("output" + outputs.size(), value.entry);
        outputs.add(DeclaredType.of(new TensorType(DType.FLOAT32, value.shape)));
      }
    }
    return new Made(graph.build(), outputs, inputs);
  }

  int number(int low, int high) {
    return random.nextInt(low, high + 1);
  }

  boolean coin() {
    return random.nextBoolean();
  }

  @SafeVarargs
  final <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Rather one of the latest, so that chains come about. */
  Value any() {
    int back = coin() ? Math.min(3, values.size()) : values.size();
    return values.get(values.size() - 1 - random.nextInt(back));
  }

  /** A value that is there already and stretches to the shape, or a new constant that does. */
  NodeEntry stretching(Shape shape) {
    Value other = any();
    if (isStretchable(other.shape, shape)) {
      return other.entry;
    }
    long[] extents = shape.extents();
    int missing = extents.length == 0 || coin() ? 0 : number(0, extents.length);
    long[] own = Arrays.copyOfRange(extents, missing, extents.length);
    for (int i = 0; i < own.length; i++) {
      own[i] = number(0, 2) == 0 ? 1 : own[i];
    }
    return weights(own);
  }

  /** The value of a whole other one of the same shape, or as if it were one. */
  NodeEntry stretched(Value x) {
    return apply("Add", apply("Mul", x.entry, number(0.5)), stretching(x.shape));
  }

  private static boolean isStretchable(Shape from, Shape to) {
    int missing = to.rank() - from.rank();
    boolean all = missing >= 0;
    for (int i = 0; all && i < from.rank(); i++) {
      all = from.extent(i) == 1 || from.extent(i) == to.extent(i + missing);
    }
    return all;
  }

  NodeEntry weights(long... extents) {
    return graph.constant("w" + values.size(), floats(Shape.of(extents)));
  }

  NodeEntry number(double value) {
    return graph.constant("c" + values.size(), TensorView.ofFloats(Shape.SCALAR, (float) value));
  }

  NodeEntry longs(long... numbers) {
    return graph.constant("l" + values.size(), TensorView.ofLongs(numbers));
  }

  private TensorView floats(Shape shape) {
    float[] all = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < all.length; i++) {
      all[i] = (float) random.nextDouble(-1, 1);
    }
    return TensorView.ofFloats(shape, all);
  }

  NodeEntry apply(String operator, NodeEntry... operands) {
    return apply(operator, Attributes.NONE, operands);
  }

  NodeEntry apply(String operator, Attributes attributes, NodeEntry... operands) {
    read.addAll(Arrays.asList(operands));
    return graph.apply(operator, attributes, operands);
  }

  List<NodeEntry> split(Attributes attributes, NodeEntry... operands) {
    read.addAll(Arrays.asList(operands));
    return graph.applyForAll("Split", attributes, 2, operands);
  }

  /** A result of a few numbers more or less; where it is too large, of its first elements. */
  void add(NodeEntry entry, long... extents) {
    Shape shape = Shape.of(extents);
    if (shape.elementCount() <= MOST_ELEMENTS) {
      values.add(new Value(entry, shape));
      return;
    }
    long rows = Math.max(1, MOST_ELEMENTS / shape.elementCount(1, shape.rank()));
    NodeEntry some = apply("Slice", entry, longs(0), longs(rows), longs(0));
    values.add(new Value(some, shape.with(0, Math.min(rows, shape.extent(0)))));
  }

  /** The same of what may have grown. */
  void addBounded(NodeEntry entry, long... extents) {
    add(apply(oneOf("Tanh", "Sigmoid", "Sin", "Erf"), entry), extents);
  }

  static AttributeValue ints(long... values) {
    return AttributeValue.Ints.of(values);
  }

  static AttributeValue real(double value) {
    return new AttributeValue.Real((float) value);
  }
}
