package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.OperatorSetIdProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random model with {@code If}, {@code Loop} and {@code Scan} inside of each other. All numbers are small whole
 * numbers and none is minus zero, so that every correct program gives the same bits. The seed decides everything.
 *
 * <p>Bodies read values of every level around them. Bodies side by side use the same names.
 */
final class RandomProgram {
  private static final int DEEPEST = 3;
  private final SplittableRandom random;

  /** One graph or body while it is written. */
  private static final class Scope {
    private final int depth;
    private final GraphProto.Builder graph;
    private final List<String> vectors = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();
    private int names;

    Scope(int depth) {
      this.depth = depth;
      this.graph = GraphProto.newBuilder().setName("level" + depth);
    }

    /** A body of a node of this one. */
    Scope inside() {
      var body = new Scope(depth + 1);
      body.vectors.addAll(vectors);
      body.conditions.addAll(conditions);
      return body;
    }

    String name() {
      return "d" + depth + "_" + names++;
    }

    String add(String operator, List<String> inputs, AttributeProto... attributes) {
      return add(operator, inputs, 1, attributes).get(0);
    }

    List<String> add(String operator, List<String> inputs, int outputs, AttributeProto... attributes) {
      List<String> results = new ArrayList<>();
      for (int i = 0; i < outputs; i++) {
        results.add(name());
      }
      graph.addNode(NodeProto.newBuilder().setOpType(operator).setName(operator + "_" + results.get(0)).addAllInput(
        inputs).addAllOutput(results).addAllAttribute(List.of(attributes)));
      return results;
    }

    String constant(TensorProto value) {
      return add("Constant", List.of(), AttributeProto.newBuilder().setName("value").setType(AttributeType.TENSOR).setT(
        value).build());
    }
  }

  private RandomProgram(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Inputs: vectors {@code x} and {@code y}, a matrix {@code m} of 4 vectors, a count {@code n}, a {@code flag}. */
  static ModelProto of(long seed) {
    return new RandomProgram(seed).model();
  }

  private ModelProto model() {
    var scope = new Scope(0);
    scope.graph.addInput(value("x", DType.FLOAT32, 3)).addInput(value("y", DType.FLOAT32, 3));
    scope.graph.addInput(value("m", DType.FLOAT32, 4, 3)).addInput(value("n", DType.INT64)).addInput(value("flag",
      DType.BOOL));
    scope.vectors.addAll(List.of("x", "y"));
    scope.conditions.add("flag");
    List<String> stacked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      statement(scope, stacked);
    }
    for (String control : List.of("If", "Loop", "Scan")) {
      if (random.nextInt(2) == 0) {
        control(control, scope, stacked);
      }
    }
    scope.graph.addOutput(value(scope.add("Identity", List.of(last(scope))), DType.FLOAT32, 3));
    stacked.forEach(name -> scope.graph.addOutput(ValueInfoProto.newBuilder().setName(name).setType(TypeProto
      .newBuilder().setTensorType(TypeProto.Tensor.newBuilder().setElemType(ElementTypes.number(DType.FLOAT32))))));
    return ModelProto.newBuilder().setIrVersion(8).addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(16))
      .setGraph(scope.graph).build();
  }

  private void statement(Scope scope, List<String> stacked) {
    int choice = random.nextInt(scope.depth < DEEPEST ? 9 : 6);
    switch (choice) {
      case 0 -> scope.vectors.add(bounded(scope, scope.add("Sub", List.of(scope.constant(floats(0, 0, 0)), vector(
        scope)))));
      case 1 -> condition(scope);
      case 2 -> scope.vectors.add(scope.add("Max", List.of(vector(scope), constant(scope))));
      case 3, 4, 5 -> scope.vectors.add(bounded(scope, scope.add(random.nextBoolean() ? "Add" : "Sub", List.of(vector(
        scope), random.nextBoolean() ? vector(scope) : constant(scope)))));
      case 6 -> control("If", scope, stacked);
      case 7 -> control("Loop", scope, stacked);
      default -> control("Scan", scope, stacked);
    }
  }

  private void control(String operator, Scope scope, List<String> stacked) {
    switch (operator) {
      case "If" -> branch(scope);
      case "Loop" -> loop(scope, stacked);
      default -> scan(scope, stacked);
    }
  }

  private String constant(Scope scope) {
    return scope.constant(floats(random.nextInt(-4, 5), random.nextInt(-4, 5), random.nextInt(-4, 5)));
  }

  private static String bounded(Scope scope, String vector) {
    String low = scope.constant(TensorProto.newBuilder().setDataType(1).addFloatData(-100).build());
    String high = scope.constant(TensorProto.newBuilder().setDataType(1).addFloatData(100).build());
    return scope.add("Clip", List.of(vector, low, high));
  }

  private String vector(Scope scope) {
    return scope.vectors.get(random.nextInt(scope.vectors.size()));
  }

  private static String last(Scope scope) {
    return scope.vectors.getLast();
  }

  private String condition(Scope scope) {
    String sum = scope.add("ReduceSum", List.of(vector(scope)), AttributeProto.newBuilder().setName("keepdims").setType(
      AttributeType.INT).setI(0).build());
    String limit = scope.constant(TensorProto.newBuilder().setDataType(1).addFloatData(random.nextInt(-9, 20)).build());
    scope.conditions.add(scope.add("Less", List.of(sum, limit)));
    return scope.conditions.getLast();
  }

  private String anyCondition(Scope scope) {
    return random.nextBoolean() ? condition(scope) : scope.conditions.get(random.nextInt(scope.conditions.size()));
  }

  private void branch(Scope scope) {
    int results = random.nextInt(1, 3);
    String condition = random.nextInt(4) == 0
      ? scope.constant(TensorProto.newBuilder().setDataType(9).addInt32Data(random.nextInt(2)).build())
      : anyCondition(scope);
    List<AttributeProto> bodies = new ArrayList<>();
    for (String name : List.of("then_branch", "else_branch")) {
      var body = scope.inside();
      statements(body);
      for (int i = 0; i < results; i++) {
        body.graph.addOutput(value(body.add("Identity", List.of(vector(body))), DType.FLOAT32, 3));
      }
      bodies.add(body(name, body));
    }
    scope.vectors.addAll(scope.add("If", List.of(condition), results, bodies.toArray(AttributeProto[]::new)));
  }

  /** What is stacked inside of a body stays there. */
  private void statements(Scope body) {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      statement(body, new ArrayList<>());
    }
  }

  private static AttributeProto body(String name, Scope body) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.GRAPH).setG(body.graph).build();
  }

  private void loop(Scope scope, List<String> stacked) {
    int carried = random.nextInt(0, 3);
    int slices = random.nextInt(carried == 0 ? 1 : 0, 2);
    List<String> inputs = new ArrayList<>();
    boolean isCounted = random.nextInt(4) > 0;
    long most = scope.depth == 0 ? 20 : 5;
    inputs.add(!isCounted && random.nextBoolean()
      ? "n"
      : scope.constant(TensorProto.newBuilder().setDataType(7)
        .addInt64Data(random.nextLong(0, most)).build()));
    inputs.add(random.nextBoolean() ? "" : anyCondition(scope));
    var body = scope.inside();
    String trip = body.name();
    String goesOn = body.name();
    body.graph.addInput(value(trip, DType.INT64)).addInput(value(goesOn, DType.BOOL));
    body.conditions.add(goesOn);
    for (int i = 0; i < carried; i++) {
      inputs.add(vector(scope));
      body.vectors.add(body.name());
      body.graph.addInput(value(last(body), DType.FLOAT32, 3));
    }
    String number = body.add("Cast", List.of(trip), AttributeProto.newBuilder().setName("to").setType(AttributeType.INT)
      .setI(1).build());
    body.vectors.add(bounded(body, body.add("Add", List.of(vector(body), number))));
    statements(body);
    String ended = random.nextInt(3) == 0
      ? body.add("And", List.of(goesOn, condition(body)))
      : body.add("Identity", List.of(goesOn));
    body.graph.addOutput(value(ended, DType.BOOL));
    addResults(body, carried + slices);
    List<String> results = scope.add("Loop", inputs, carried + slices, body("body", body));
    scope.vectors.addAll(results.subList(0, carried));
    stacked.addAll(results.subList(carried, results.size()));
  }

  private void addResults(Scope body, int count) {
    for (int i = 0; i < count; i++) {
      body.graph.addOutput(value(body.add("Identity", List.of(vector(body))), DType.FLOAT32, 3));
    }
  }

  private void scan(Scope scope, List<String> stacked) {
    int slices = random.nextInt(0, 2);
    var body = scope.inside();
    for (int i = 0; i < 2; i++) {
      body.vectors.add(body.name());
      body.graph.addInput(value(last(body), DType.FLOAT32, 3));
    }
    body.vectors.add(bounded(body, body.add("Add", body.vectors.subList(body.vectors.size() - 2, body.vectors
      .size()))));
    statements(body);
    addResults(body, 1 + slices);
    boolean isAcross = random.nextBoolean();
    String matrix = isAcross ? scope.add("Transpose", List.of("m")) : "m";
    List<String> results = scope.add("Scan", List.of(vector(scope), matrix), 1 + slices, body("body", body), ints(
      "num_scan_inputs", -1, 1), ints("scan_input_axes", isAcross ? random.nextBoolean() ? 1 : -1 : 0, -1),
      ints(
        "scan_input_directions", random.nextInt(2), -1),
      slices == 0
        ? ints("scan_output_axes", -9, -1)
        : ints("scan_output_axes", random.nextInt(2), -1),
      slices == 0
        ? ints("scan_output_directions", -9, -1)
        : ints("scan_output_directions", random.nextInt(2), -1));
    scope.vectors.add(results.get(0));
    stacked.addAll(results.subList(1, results.size()));
  }

  /** A list of one number, or of none where it is -9; one number alone where {@code number} is not -1. */
  private static AttributeProto ints(String name, long element, long number) {
    var attribute = AttributeProto.newBuilder().setName(name);
    if (number != -1) {
      return attribute.setType(AttributeType.INT).setI(number).build();
    }
    attribute.setType(AttributeType.INTS);
    return element == -9 ? attribute.build() : attribute.addInts(element).build();
  }

  private static TensorProto floats(float... values) {
    var tensor = TensorProto.newBuilder().setDataType(1).addDims(values.length);
    for (float each : values) {
      tensor.addFloatData(each);
    }
    return tensor.build();
  }

  private static ValueInfoProto value(String name, DType dtype, long... extents) {
    var shape = TensorShapeProto.newBuilder();
    for (long extent : extents) {
      shape.addDimBuilder().setDimValue(extent);
    }
    var tensor = TypeProto.Tensor.newBuilder().setElemType(ElementTypes.number(dtype)).setShape(shape);
    return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(tensor)).build();
  }
}
