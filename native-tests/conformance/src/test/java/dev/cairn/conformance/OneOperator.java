package dev.cairn.conformance;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** A model of one operator with random operands, while it is put together. The seed decides everything. */
final class OneOperator {
  /** Extents at which loops have ends of their own: single elements, around a vector's length, a few blocks. */
  private static final long[] EXTENTS = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33};

  private final SplittableRandom random;
  private final GraphBuilder graph;
  private final String operator;
  private final List<NodeEntry> operands = new ArrayList<>();
  private final Map<String, TensorView> inputs = new LinkedHashMap<>();
  private Attributes attributes = Attributes.NONE;
  private int outputs = 1;

  /** A finished model and what goes in. */
  record Model(Graph graph, Map<String, TensorView> inputs) {
    /**
     * The types of the outputs that a file declares: none for an operator that graphs do not have, because Cairn reads
     * it as others, and none where only a run knows them.
     */
    List<DeclaredType> outputs() {
      boolean isKnown = graph.nodes().stream().filter(Node::isComputed).allMatch(node -> StandardOperators.table().find(
        node.operator()).isPresent());
      List<DeclaredType> open = Collections.nCopies(graph.outputs().size(), DeclaredType.OPEN);
      try {
        return isKnown ? DeclaredOutputs.of(graph) : open;
      } catch (ValueDependentShape e) {
        return open;
      }
    }
  }

  OneOperator(String operator, long seed) {
    this.operator = operator;
    this.random = new SplittableRandom(seed * 31 + operator.hashCode());
    this.graph = new GraphBuilder(operator);
  }

  /** A number in {@code [low, high]}. */
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

  long extent() {
    return EXTENTS[random.nextInt(EXTENTS.length)];
  }

  Shape shape(int leastRank, int mostRank) {
    int rank = number(leastRank, mostRank);
    long[] extents = new long[rank];
    for (int i = 0; i < rank; i++) {
      extents[i] = rank > 3 && i < rank - 2 ? number(1, 4) : extent();
    }
    return Shape.of(extents);
  }

  /** A shape that stretches to {@code target}: some axes are 1, some outer ones are missing. */
  Shape stretching(Shape target) {
    int missing = target.rank() == 0 || coin() ? 0 : number(0, target.rank());
    long[] extents = new long[target.rank() - missing];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = number(0, 3) == 0 ? 1 : target.extent(i + missing);
    }
    return Shape.of(extents);
  }

  /** Random elements from {@code low} to {@code high}: whole numbers where the type is of whole numbers. */
  TensorView tensor(DType dtype, Shape shape, double low, double high) {
    var view = new TensorView(new TensorType(dtype, shape),
      MemorySegment.ofArray(new byte[Math.toIntExact(shape.elementCount() * dtype.bytes())]));
    for (long i = 0; i < shape.elementCount(); i++) {
      set(view, i, dtype.isFloat() ? random.nextDouble(low, high) : random.nextLong((long) low, (long) high + 1));
    }
    return view;
  }

  static void set(TensorView view, long index, double value) {
    MemorySegment memory = view.segment();
    switch (view.dtype()) {
      case FLOAT32 -> memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, index * Float.BYTES, (float) value);
      case FLOAT64 -> memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, index * Double.BYTES, value);
      case FLOAT16 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, Float.floatToFloat16((float) value));
      case INT64 -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, index * Long.BYTES, (long) value);
      case INT16 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * Short.BYTES, (short) value);
      case INT32 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, index * Integer.BYTES, (int) value);
      case INT8, UINT8, BOOL -> memory.set(ValueLayout.JAVA_BYTE, index, (byte) value);
      default -> throw new IllegalArgumentException("not made here: dtype=" + view.dtype());
    }
  }

  /** Strings of a few, some of which need several bytes for a letter. */
  TensorView strings(Shape shape, String... vocabulary) {
    return StringElements.of(shape, LongStream.range(0, shape.elementCount()).mapToObj(_ -> oneOf(vocabulary))
      .toList());
  }

  TensorView floats(Shape shape, double low, double high) {
    return tensor(DType.FLOAT32, shape, low, high);
  }

  TensorView booleans(Shape shape) {
    return tensor(DType.BOOL, shape, 0, 1);
  }

  /** The next operand comes with each run. */
  OneOperator input(TensorView value) {
    String name = "input" + operands.size();
    operands.add(graph.input(name, value.type()));
    inputs.put(name, value);
    return this;
  }

  /** The next operand is a constant of the model. */
  OneOperator constant(TensorView value) {
    operands.add(graph.constant("constant" + operands.size(), value));
    return this;
  }

  /** The next operand is left out. */
  OneOperator absent() {
    operands.add(Node.absent());
    return this;
  }

  OneOperator with(String name, long value) {
    attributes = attributes.with(name, value);
    return this;
  }

  OneOperator with(String name, float value) {
    attributes = attributes.with(name, new AttributeValue.Real(value));
    return this;
  }

  OneOperator with(String name, String value) {
    attributes = attributes.with(name, new AttributeValue.Text(value));
    return this;
  }

  OneOperator with(String name, AttributeValue value) {
    attributes = attributes.with(name, value);
    return this;
  }

  OneOperator with(String name, long... values) {
    attributes = attributes.with(name, AttributeValue.Ints.of(values));
    return this;
  }

  OneOperator with(String name, TensorView value) {
    attributes = attributes.with(name, new AttributeValue.Tensor(value));
    return this;
  }

  OneOperator outputs(int count) {
    outputs = count;
    return this;
  }

  Model build() {
    List<NodeEntry> results = graph.applyForAll(operator, attributes, outputs, operands.toArray(NodeEntry[]::new));
    for (int i = 0; i < outputs; i++) {
      graph.output("output" + i, results.get(i));
    }
    return new Model(graph.build(), inputs);
  }
}
