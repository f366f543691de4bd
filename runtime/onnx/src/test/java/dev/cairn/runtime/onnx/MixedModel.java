package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.ints;
import static dev.cairn.runtime.onnx.Models.node;
import static dev.cairn.runtime.onnx.Models.real;
import static dev.cairn.runtime.onnx.Models.text;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A model as exporters write them, made of a seed: its kind is one of {@link Kind}, and chance decides the rest.
 * Several sets of operands differ in shape, if the kind can take that.
 */
final class MixedModel {
  /** What a model is about. */
  enum Kind {
    BRANCH_OF_SHAPES(MixedModel::branch),
    LOOP_THAT_GROWS(MixedModel::loop),
    LOOP_OVER_A_SEQUENCE(MixedModel::sequenceLoop),
    SCAN(MixedModel::scan),
    EMPTY_TENSORS(MixedModel::empty),
    OMITTED_OPERANDS(MixedModel::omitted),
    STRINGS(MixedModel::strings),
    SEQUENCES(MixedModel::sequences),
    FUNCTIONS(MixedModel::functions),
    EXTERNAL_DATA(MixedModel::weightsInAFile),
    OLD_OPSET(MixedModel::old),
    SHAPES_OF_VALUES(MixedModel::shapes),
    ODD_CONTROL(MixedModel::control),
    PREPROCESSING(MixedModel::preprocessing),
    DETECTION(MixedModel::detection),
    QUANTIZED(MixedModel::quantized),
    TRANSFORMER(MixedModel::transformer),
    SIGNALS(MixedModel::signals),
    ODD_NAMES(MixedModel::names);

    private final Consumer<MixedModel> maker;

    Kind(Consumer<MixedModel> maker) {
      this.maker = maker;
    }
  }

  private final SplittableRandom random;
  private final Kind kind;
  private final ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(10);
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("mixed");
  private final List<Map<String, TensorView>> inputs = new ArrayList<>();
  private byte[] external = new byte[0];
  private long opset = 21;

  private MixedModel(long seed) {
    random = new SplittableRandom(seed);
    Kind[] kinds = Kind.values();
    kind = kinds[(int) (seed % kinds.length)];
    for (int i = 0; i < 3; i++) {
      inputs.add(new LinkedHashMap<>());
    }
  }

  static MixedModel of(long seed) {
    var made = new MixedModel(seed);
    made.kind.maker.accept(made);
    made.model.addOpsetImport(Models.opset("", made.opset)).setGraph(made.graph);
    return made;
  }

  Kind kind() {
    return kind;
  }

  ModelProto model() {
    return model.build();
  }

  /** Sets of operands. */
  List<Map<String, TensorView>> inputs() {
    return inputs;
  }

  /** The bytes of the file {@code weights.bin} beside the model. */
  byte[] external() {
    return external;
  }

  private void add(String call, AttributeProto... attributes) {
    graph.addNode(node(call, attributes));
  }

  private boolean coin() {
    return random.nextBoolean();
  }

  @SafeVarargs
  private <T> T one(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String unary() {
    return one("Relu", "Neg", "Abs", "Tanh", "Sigmoid", "Exp", "Floor", "Identity", "Sign", "Erf", "Softplus");
  }

  private String binary() {
    return one("Add", "Sub", "Mul", "Max", "Min");
  }

  /** A float32 input whose extents are free where they are negative; such an extent has a number for each run. */
  private void input(String name, long... extents) {
    var shape = TensorShapeProto.newBuilder();
    for (long extent : extents) {
      if (extent >= 0) {
        shape.addDimBuilder().setDimValue(extent);
      } else {
        shape.addDimBuilder().setDimParam("d" + -extent);
      }
    }
    graph
      .addInput(ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
        .newBuilder().setElemType(1).setShape(shape))));
    long[] free = {2, 3, 1};
    for (int run = 0; run < inputs.size(); run++) {
      long[] given = extents.clone();
      for (int i = 0; i < given.length; i++) {
        given[i] = given[i] >= 0 ? given[i] : free[run] + (-given[i] - 1);
      }
      inputs.get(run).put(name, floats(given));
    }
  }

  private TensorView floats(long... extents) {
    float[] values = new float[(int) Shape.of(extents).elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(-8, 9) / 4f;
    }
    return TensorView.ofFloats(Shape.of(extents), values);
  }

  private void whole(String name, long low, long high) {
    graph.addInput(Models.value(name, DType.INT64));
    inputs.forEach(it -> it.put(name, TensorView.ofLong(random.nextLong(low, high))));
  }

  private void flag(String name) {
    graph.addInput(Models.value(name, DType.BOOL));
    for (int run = 0; run < inputs.size(); run++) {
      inputs.get(run).put(name, new TensorView(TensorType.of(DType.BOOL), MemorySegment.ofArray(new byte[] {(byte) ((run
        + 1) % 2)})));
    }
  }

  private void weight(String name, long... extents) {
    TensorView value = floats(extents);
    var tensor = TensorProto.newBuilder().setName(name).setDataType(1);
    for (long extent : extents) {
      tensor.addDims(extent);
    }
    for (float each : Models.floats(value)) {
      tensor.addFloatData(each);
    }
    graph.addInitializer(tensor);
  }

  private void output(String... names) {
    for (String name : names) {
      graph.addOutput(ValueInfoProto.newBuilder().setName(name));
    }
  }

  private void typed(String name, DType dtype) {
    graph.addOutput(ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(
      TypeProto.Tensor.newBuilder().setElemType(ElementTypes.number(dtype)))));
  }

  private static AttributeProto body(String name, GraphProto.Builder body) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.GRAPH).setG(body.setName(name)).build();
  }

  private static GraphProto.Builder body(List<String> inputs, List<NodeProto> nodes, String... outputs) {
    GraphProto.Builder body = GraphProto.newBuilder().addAllNode(nodes);
    inputs.forEach(it -> {
      String name = it.substring(it.indexOf(' ') + 1);
      DType dtype = it.startsWith("int ") ? DType.INT64 : it.startsWith("bool ") ? DType.BOOL : DType.FLOAT32;
      var tensor = TypeProto.Tensor.newBuilder().setElemType(ElementTypes.number(dtype));
      if (dtype != DType.FLOAT32) {
        tensor.setShape(TensorShapeProto.newBuilder());
      }
      body.addInput(ValueInfoProto.newBuilder().setName(name).setType(it.startsWith("sequence ")
        ? TypeProto.newBuilder().setSequenceType(TypeProto.Sequence.newBuilder().setElemType(TypeProto.newBuilder()
          .setTensorType(tensor)))
        : TypeProto.newBuilder().setTensorType(tensor)));
    });
    for (String output : outputs) {
      var declared = body.addOutputBuilder().setName(output.substring(output.indexOf(' ') + 1));
      if (output.contains(" ")) {
        declared.getTypeBuilder().getTensorTypeBuilder().setElemType(1);
      }
      if (output.startsWith("three ")) {
        declared.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder().addDimBuilder().setDimValue(3);
      }
    }
    return body;
  }

  private static NodeProto constant(String name, TensorProto value) {
    return node(name + " = Constant()", Models.tensor("value", value));
  }

  private static TensorProto scalar(long value) {
    return Models.longs("", value).toBuilder().clearDims().build();
  }

  /** Branches of other shapes or ranks, one of them invalid for the operands, and another inside. */
  private void branch() {
    input("x", -1, 4);
    flag("p");
    graph.addInitializer(Models.longs("shape", 2, -1)).addInitializer(Models.longs("axis", 0));
    List<NodeProto> then = new ArrayList<>(List.of(node("t = Reshape(x, shape)"), node("a = " + unary() + "(t)")));
    if (coin()) {
      // Valid in one of the runs only, in which the branch is not taken.
      then = new ArrayList<>(List.of(node("t = Squeeze(x, axis)"), node("a = " + unary() + "(t)")));
      inputs.forEach(
        it -> it.put("p", new TensorView(TensorType.of(DType.BOOL), MemorySegment
          .ofArray(new byte[] {(byte) (Objects.requireNonNull(it.get("x")).shape().extent(0) == 1 ? 1 : 0)}))));
    }
    NodeProto inner = node("b = If(q)",
      body("then_branch", body(List.of(), List.of(node("c = " + unary() + "(x)")), "c")),
      body("else_branch",
        body(List.of(), List.of(node("d = ReduceSum(x, axis)", integer("keepdims", one(0, 1)))), "d")));
    add("s = ReduceSum(x)", integer("keepdims", 0));
    add("z = Sub(s, s)");
    add("q = " + one("Greater", "Less", "Equal") + "(s, z)");
    add("y = If(p)", body("then_branch", body(List.of(), then, "a")),
      body("else_branch", body(List.of(), List.of(inner),
        "b")));
    add("n = Shape(y)");
    add("w = " + one("Neg", "Abs", "Relu") + "(y)");
    typed("w", DType.FLOAT32);
    typed("n", DType.INT64);
  }

  /** A carried value that grows, a condition of the body's, and results of each trip. */
  private void loop() {
    input("x", -1, 3);
    whole("m", 0, 5);
    flag("p");
    List<NodeProto> nodes = new ArrayList<>(
      List.of(node("g = Concat(c, x)", integer("axis", 0)), node("r = ReduceSum(g)",
        integer("keepdims", 0)), node("f = Cast(i)", integer("to", 1)), node("v = Add(r, f)")));
    String condition = "k";
    if (coin()) {
      nodes.add(constant("two", scalar(2)));
      nodes.add(node("l = Less(i, two)"));
      condition = "l";
    }
    nodes.add(node("o = Identity(" + condition + ")"));
    boolean knowsTrips = coin();
    String trips = knowsTrips ? "m" : coin() ? "m" : "";
    if (trips.isEmpty()) {
      nodes.removeIf(it -> it.getOutput(0).equals("o") || it.getOutput(0).equals("l") || it.getOutput(0).equals("two"));
      nodes.add(constant("two", scalar(2)));
      nodes.add(node("o = Less(i, two)"));
      add("unused = Identity(m)");
    }
    add("g_last, rs = Loop(" + trips + ", " + one("p", "") + ", x)", body("body", body(List.of("int i", "bool k",
      "float c"), nodes, "o", "g", "v")));
    add("y = " + unary() + "(g_last)");
    typed("y", DType.FLOAT32);
    typed("rs", DType.FLOAT32);
    if (!graph.getNode(graph.getNodeCount() - 2).getInput(1).equals("p")) {
      add("np = Not(p)");
      typed("np", DType.BOOL);
    }
  }

  /** A sequence that a loop fills, and reads from the end. */
  private void sequenceLoop() {
    input("x", -1, 3);
    whole("m", 1, 5);
    add("empty = SequenceEmpty()");
    add("p = Constant()", Models.tensor("value", TensorProto.newBuilder().setDataType(9).addInt32Data(1).build()));
    List<NodeProto> nodes = new ArrayList<>(List.of(node("f = Cast(i)", integer("to", 1)), node("v = " + binary()
      + "(x, f)"), node("q = SequenceInsert(s, v" + one("", ", zero") + ")"), node("o = Identity(k)"), node(
        "n = SequenceLength(q)")));
    nodes.addFirst(constant("zero", scalar(0)));
    add("all, ns = Loop(m, p, empty)",
      body("body", body(List.of("int i", "bool k", "sequence s"), nodes, "o", "q", "n")));
    graph.addInitializer(scalar(-1).toBuilder().setName("last"));
    add("e = SequenceAt(all, last)");
    add("rest = SequenceErase(all" + one("", ", last") + ")");
    add("len = SequenceLength(rest)");
    add("y = ConcatFromSequence(all)", integer("axis", one(0, 1, -1)), integer("new_axis", one(0, 1)));
    typed("e", DType.FLOAT32);
    typed("y", DType.FLOAT32);
    typed("len", DType.INT64);
    typed("ns", DType.INT64);
  }

  private void scan() {
    input("x", -1, 4, 3);
    input("s", 3);
    boolean isFirst = coin();
    int axis = isFirst ? 1 : -2;
    // Slices of an inner axis have the batch before.
    List<NodeProto> nodes = List.of(node("u = ReduceSum(e)", integer("keepdims", 0)),
      node("v = " + binary() + "(c, u)"),
      node("r = " + unary() + "(e)"), node("t = Mul(v, s)"));
    add("last, y, z = Scan(s, x)", body("body", body(List.of("float c", "float e"), nodes, "v", "r", "t")), integer(
      "num_scan_inputs", 1), ints("scan_input_axes", axis), ints("scan_input_directions", one(0, 1)),
      ints(
        "scan_output_axes", one(0L, 1L, -1L), one(0L, -1L)),
      ints("scan_output_directions", one(0L, 1L), one(0L, 1L)));
    typed("last", DType.FLOAT32);
    typed("y", DType.FLOAT32);
    typed("z", DType.FLOAT32);
  }

  /** Axes of no element through sums, products, joins, windows and moves. */
  private void empty() {
    long rows = one(0L, 2L);
    long columns = rows == 0 ? one(0L, 3L) : 0;
    graph.addInput(anyShape("x")).addInput(anyShape("w"));
    for (Map<String, TensorView> run : inputs) {
      run.put("x", floats(rows, columns));
      run.put("w", floats(columns, 4));
    }
    graph.addInitializer(Models.longs("zero", 0)).addInitializer(Models.longs("one", 1))
      .addInitializer(Models.longs("flat",
        -1));
    add("m = MatMul(x, w)");
    add("n = " + unary() + "(x)");
    add("j = Concat(x, n)", integer("axis", one(0, 1)));
    add("sums = " + one("ReduceSum", "ReduceProd", "ReduceL1", "ReduceSumSquare") + "(x, " + one("zero", "one") + ")",
      integer(
        "keepdims", one(0, 1)));
    add("shape = Shape(x)");
    add("size = Size(x)");
    add("soft = " + one("Softmax", "LogSoftmax") + "(x)", integer("axis", one(0, 1)));
    add("places = NonZero(x)");
    add("turned = Transpose(x)");
    add("long = Unsqueeze(x, one)");
    add("picked = Gather(w, none)", integer("axis", 0));
    graph.addInitializer(TensorProto.newBuilder().setName("none").setDataType(7).addDims(0));
    add("wide = Expand(x, shape)");
    add("part = Slice(x, zero, one, zero)");
    add("whole = Cast(x)", integer("to", 7));
    add("g = Gemm(x, w)", real("alpha", 0.5f));
    add("cum = CumSum(x, axis)");
    graph.addInitializer(scalar(0).toBuilder().setName("axis"));
    for (String name : List.of("m", "n", "j", "sums", "soft", "turned", "long", "picked", "wide", "part", "g", "cum")) {
      typed(name, DType.FLOAT32);
    }
    for (String name : List.of("shape", "size", "places", "whole")) {
      typed(name, DType.INT64);
    }
  }

  private static ValueInfoProto anyShape(String name) {
    return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
      .newBuilder().setElemType(1))).build();
  }

  /** Operands that are left out before others that are given, and results that nothing reads. */
  private void omitted() {
    input("x", 5, -1, 4);
    input("image", 1, 2, 6, 6);
    long hidden = 3;
    int gates = one(1, 3, 4);
    String operator = gates == 1 ? "RNN" : gates == 3 ? "GRU" : "LSTM";
    long directions = one(1, 2);
    weight("w", directions, gates * hidden, 4);
    weight("r", directions, gates * hidden, hidden);
    add(one("", "y") + ", h = " + operator + "(x, w, r" + one("", ", , ") + ")", integer("hidden_size", hidden), text(
      "direction", directions == 2 ? "bidirectional" : one("forward", "reverse")));
    weight("low", 1);
    graph.getInitializerBuilder(graph.getInitializerCount() - 1).clearDims();
    add("c = Clip(x, " + one(", low", "low", "low, low") + ")");
    graph.addInitializer(Models.longs("sizes", 1, 2, 9, 4)).addInitializer(Models.floats("scales", 1, 1, 1.5f, 2));
    boolean hasSizes = coin();
    add("z = Resize(image, , " + (hasSizes ? ", sizes" : "scales") + ")", text("mode", one("nearest", "linear")), text(
      "coordinate_transformation_mode", one("asymmetric", "half_pixel", "align_corners")));
    graph.addInitializer(Models.longs("from", 1)).addInitializer(Models.longs("to", -1))
      .addInitializer(Models.longs("step",
        2))
      .addInitializer(Models.longs("last", 2));
    add("part = Slice(x, from, to" + one("", ", last", ", last, step", ", , step") + ")");
    add("d" + one("", ", mask") + " = Dropout(x)");
    add("p" + one("", ", at") + " = MaxPool(image)", ints("kernel_shape", 2, 2), ints("strides", 2, 1));
    add("padded = Pad(x, pads" + one("", ", low", ", , padaxes", ", low, padaxes") + ")");
    boolean hasAxes = graph.getNode(graph.getNodeCount() - 1).getInputCount() == 4;
    graph.addInitializer(hasAxes ? Models.longs("pads", 1, 2) : Models.longs("pads", 0, 1, 0, 1, 0, 2)).addInitializer(
      Models.longs("padaxes", 2));
    weight("scale", 4);
    add("norm" + one("", ", , inverse") + " = LayerNormalization(x, scale)");
    for (String name : List.of("h", "c", "z", "part", "d", "p", "padded", "norm")) {
      typed(name, DType.FLOAT32);
    }
  }

  private void strings() {
    graph.addInput(ValueInfoProto.newBuilder().setName("s")
      .setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
        .newBuilder().setElemType(8)
        .setShape(TensorShapeProto.newBuilder().addDim(TensorShapeProto.Dimension.newBuilder()
          .setDimParam("n"))))));
    String[] words = {"red", "green", "blue", "a,b,c", "", "äß", "Red", "x y"};
    for (int run = 0; run < inputs.size(); run++) {
      List<String> given = new ArrayList<>();
      for (int i = 0; i < run * 2 + 1; i++) {
        given.add(one(words));
      }
      inputs.get(run).put("s", StringElements.of(given));
    }
    graph.addInitializer(TensorProto.newBuilder().setName("other").setDataType(8).addDims(1).addStringData(ByteString
      .copyFromUtf8(one("red", ",", "-"))));
    model.addOpsetImport(Models.opset("ai.onnx.ml", 4));
    add("joined = StringConcat(s, other)");
    add("same = Equal(s, other)");
    add("picked = Where(same, s, joined)");
    add("twice = Concat(s, picked)", integer("axis", 0));
    add("match = RegexFullMatch(s)", text("pattern", one("[a-z]+", "r.*", "", ".*,.*")));
    add("parts, count = StringSplit(s)", text("delimiter", one(",", " ", "")));
    add("order = Shape(twice)");
    graph.addInitializer(Models.longs("at", 0, -1, 0));
    add("some = Gather(twice, at)");
    graph.addInitializer(Models.longs("square", 1, -1));
    add("grid = Reshape(twice, square)");
    add("turned = Transpose(grid)");
    graph.addNode(node("codes = LabelEncoder(twice)", strings("keys_strings", "red", "green", "äß"), AttributeProto
      .newBuilder().setName("values_int64s").setType(AttributeType.INTS).addInts(1).addInts(2).addInts(3).build(),
      integer(
        "default_int64", -7))
      .toBuilder().setDomain("ai.onnx.ml"));
    add("upper = StringNormalizer(s)", text("case_change_action", one("UPPER", "LOWER")), text("locale", "C"));
    add("copy = Identity(s)");
    for (String name : List.of("joined", "picked", "twice", "parts", "some", "turned", "upper", "copy")) {
      typed(name, DType.STRING);
    }
    typed("same", DType.BOOL);
    typed("match", DType.BOOL);
    for (String name : List.of("count", "order", "codes")) {
      typed(name, DType.INT64);
    }
  }

  private static AttributeProto strings(String name, String... values) {
    var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeType.STRINGS);
    for (String value : values) {
      attribute.addStrings(ByteString.copyFromUtf8(value));
    }
    return attribute.build();
  }

  private void sequences() {
    input("x", 6, -1);
    whole("i", -2, 2);
    graph.addInitializer(coin() ? scalar(2).toBuilder().setName("lengths").build() : Models.longs("lengths", 1, 3, 2));
    add("parts = SplitToSequence(x, lengths)", integer("axis", 0));
    add("at = SequenceAt(parts, i)");
    add("grown = SequenceInsert(parts, at, i)");
    add("mapped = SequenceMap(grown)",
      body("body", body(List.of("float e"), List.of(node("u = " + unary() + "(e)")), "float u")));
    add("len = SequenceLength(mapped)");
    add("y = ConcatFromSequence(mapped)", integer("axis", 0));
    add("o = Optional(at)");
    add("has = OptionalHasElement(o)");
    add("got = OptionalGetElement(o)");
    add("pair = SequenceConstruct(x, got)");
    add("second = SequenceAt(pair, one)");
    graph.addInitializer(scalar(1).toBuilder().setName("one"));
    add("slices = SplitToSequence(x)", integer("axis", one(0, 1)), integer("keepdims", one(0, 1)));
    add("first = SequenceAt(slices, zero)");
    graph.addInitializer(scalar(0).toBuilder().setName("zero"));
    for (String name : List.of("at", "y", "got", "second", "first")) {
      typed(name, DType.FLOAT32);
    }
    typed("len", DType.INT64);
    typed("has", DType.BOOL);
  }

  /** Functions with attributes that have defaults or not, in each other, of another operator set, with bodies. */
  private void functions() {
    input("x", -1, 4);
    String domain = "my.domain";
    model.addOpsetImport(Models.opset(domain, 1));
    NodeProto alpha = reference(node("k = Constant()"), "value_float", "alpha", AttributeType.FLOAT);
    NodeProto axis = reference(node("r = Softmax(v)"), "axis", "axis", AttributeType.INT);
    FunctionProto.Builder scaled = FunctionProto.newBuilder().setName("Scaled").setDomain(domain).addInput("a")
      .addOutput(
        "b")
      .addOpsetImport(Models.opset("", 18)).addNode(alpha).addNode(node("b = " + binary() + "(a, k)"))
      .addAttributeProto(real("alpha", 0.25f));
    FunctionProto.Builder outer = FunctionProto.newBuilder().setName("Outer").setDomain(domain).addInput("a")
      .addInput("c")
      .addOutput("r").addOutput("v").addOpsetImport(Models.opset("", 13)).addOpsetImport(Models.opset(domain, 1))
      .addAttribute("axis").addAttribute("gain").addNode(reference(node("u = Scaled(a)").toBuilder().setDomain(domain)
        .build(), "alpha", "gain", AttributeType.FLOAT))
      .addNode(node("v = " + binary() + "(u, c)")).addNode(axis);
    GraphProto.Builder then = body(List.of(), List.of(node("t = Scaled(a)").toBuilder().setDomain(domain).build()),
      "t");
    GraphProto.Builder otherwise = body(List.of(), List.of(reference(node("k = Constant()"), "value_float", "alpha",
      AttributeType.FLOAT), node("e = Mul(a, k)")), "e");
    FunctionProto.Builder choice = FunctionProto.newBuilder().setName("Choice").setDomain(domain).addInput("a")
      .addOutput("y")
      .addOpsetImport(Models.opset("", 16)).addOpsetImport(Models.opset(domain, 1)).addAttributeProto(real("alpha", 3))
      .addNode(node("s = ReduceSum(a)", integer("keepdims", 0))).addNode(node("z = Sub(s, s)")).addNode(node(
        "p = Less(s, z)"))
      .addNode(node("y = If(p)", body("then_branch", then), body("else_branch", otherwise)));
    model.addFunctions(scaled).addFunctions(outer).addFunctions(choice);
    graph.addNode(
      node("m, n = Outer(x, x)", integer("axis", one(0, 1, -1)), real("gain", 2)).toBuilder().setDomain(domain));
    graph.addNode(
      node("q = Choice(m)", coin() ? new AttributeProto[] {real("alpha", 5)} : new AttributeProto[0]).toBuilder()
        .setDomain(domain));
    graph.addNode(node("w = Scaled(n)").toBuilder().setDomain(domain));
    typed("q", DType.FLOAT32);
    typed("w", DType.FLOAT32);
    typed("m", DType.FLOAT32);
  }

  private static NodeProto reference(NodeProto node, String attribute, String of, AttributeType type) {
    return node.toBuilder()
      .addAttribute(AttributeProto.newBuilder().setName(attribute).setRefAttrName(of).setType(type))
      .build();
  }

  /** Weights in one file beside the model, with other bytes between them, and a sparse one. */
  private void weightsInAFile() {
    input("x", -1, 8);
    ByteBuffer bytes = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(random.nextInt(3) * 4);
    graph.addInitializer(external(bytes, "w", floats(8, 8)));
    bytes.position(bytes.position() + random.nextInt(9));
    graph.addInitializer(external(bytes, "b", floats(8)));
    graph.addInitializer(Models.longs("shape", 0, 2, -1));
    external = Arrays.copyOf(bytes.array(), bytes.position());
    graph
      .addSparseInitializer(SparseTensorProto.newBuilder().setValues(Models.floats("thin", 1, 2, 3)).setIndices(Models
        .longs("i", 1, 17, 40)).addDims(8).addDims(8));
    add("h = Gemm(x, w, b)", integer("transB", one(0, 1)));
    add("t = MatMul(h, thin)");
    add("y = Reshape(t, shape)");
    typed("y", DType.FLOAT32);
    typed("h", DType.FLOAT32);
  }

  private static TensorProto external(ByteBuffer bytes, String name, TensorView value) {
    int offset = bytes.position();
    byte[] raw = value.segment().toArray(ValueLayout.JAVA_BYTE);
    bytes.put(raw);
    var tensor = TensorProto.newBuilder().setName(name).setDataType(1)
      .setDataLocation(TensorProto.DataLocation.EXTERNAL);
    for (long extent : value.shape().extents()) {
      tensor.addDims(extent);
    }
    Map.of("location", "weights.bin", "offset", Integer.toString(offset), "length", Integer.toString(raw.length))
      .forEach((
        key, text) -> tensor.addExternalData(StringStringEntryProto.newBuilder().setKey(key).setValue(text)));
    return tensor.build();
  }

  /** A small network in the forms of an operator set from 7 to 12. */
  private void old() {
    opset = 7 + random.nextInt(6);
    model.setIrVersion(opset < 9 ? 3 : 4);
    input("x", -1, 2, 6, 6);
    weight("k", 4, 2, 3, 3);
    for (String name : List.of("s", "b", "m")) {
      weight(name, 4);
    }
    graph.addInitializer(Models.floats("v", 0.5f, 1, 2, 3));
    weight("w", 4, 5);
    weight("slope", 4, 1, 1);
    weight("c", 5);
    if (model.getIrVersion() < 4) {
      graph.getInitializerList().forEach(it -> graph.addInput(Models.value(it.getName(), DType.FLOAT32, it.getDimsList()
        .stream().mapToLong(Long::longValue).toArray())));
    }
    add("a = Conv(x, k)", ints("kernel_shape", 3, 3), text("auto_pad", one("SAME_UPPER", "VALID")));
    add("n = BatchNormalization(a, s, b, m, v)", real("epsilon", 0.01f), real("momentum", 0.5f));
    add("r = PRelu(n, slope)");
    add("d = Dropout(r)", opset < 12 ? new AttributeProto[] {real("ratio", 0.4f)} : new AttributeProto[0]);
    add("p = " + one("MaxPool", "AveragePool") + "(d)", ints("kernel_shape", 2, 2), ints("strides", 2, 2));
    if (opset < 10) {
      add("u = Upsample(p" + (opset < 9 ? "" : ", scales") + ")", opset < 9
        ? new AttributeProto[] {text("mode", one("nearest", "linear")), reals("scales", 1, 1, 2, 2)}
        : new AttributeProto[] {text("mode", one("nearest", "linear"))});
      if (opset == 9) {
        graph.addInitializer(Models.floats("scales", 1, 1, 2, 2));
      }
    } else {
      add("u = Identity(p)");
    }
    add("g = GlobalAveragePool(u)");
    add("f = Squeeze(g)", ints("axes", 2, 3));
    add("y = Gemm(f, w, c)");
    add("o = " + one("Softmax", "LogSoftmax") + "(y)", integer("axis", one(0, 1)));
    if (opset < 10) {
      add("part = Slice(o)", ints("starts", 1), ints("ends", 4), ints("axes", 1));
      add("top, at = TopK(o)", integer("k", 2));
    } else {
      graph.addInitializer(Models.longs("two", 2)).addInitializer(Models.longs("one", 1));
      add("part = Slice(o, one, two, one)");
      add("top, at = TopK(o, two)");
    }
    if (opset < 11) {
      add("e = Clip(y)", real("min", -0.5f), real("max", 0.75f));
      add("z = Pad(y)", ints("pads", 0, 1, 0, 2), real("value", 1.5f));
    } else {
      graph.addInitializer(Models.floats("low", -0.5f).toBuilder().clearDims())
        .addInitializer(Models.longs("pads", 0, 1, 0,
          2));
      add("e = Clip(y, low)");
      add("z = Pad(y, pads, low)", text("mode", "constant"));
    }
    add("h, l = Split(y)", integer("axis", 1), ints("split", 2, 3));
    add("q = ReduceSum(y)", ints("axes", -1).toBuilder().clearInts().addInts(1).build(), integer("keepdims", 0));
    add("t = Unsqueeze(q)", ints("axes", 0));
    for (String name : List.of("o", "part", "top", "e", "z", "l", "t")) {
      typed(name, DType.FLOAT32);
    }
    typed("at", DType.INT64);
  }

  private static AttributeProto reals(String name, float... values) {
    var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeType.FLOATS);
    for (float value : values) {
      attribute.addFloats(value);
    }
    return attribute.build();
  }

  /** Shapes that follow from the operands' shapes and values. */
  private void shapes() {
    input("x", -1, -2);
    whole("k", 1, 3);
    graph.addInitializer(Models.longs("minus", -1)).addInitializer(Models.longs("one", 1))
      .addInitializer(scalar(0).toBuilder()
        .setName("zero"))
      .addInitializer(Models.longs("first", 0)).addInitializer(scalar(1).toBuilder().setName("step"))
      .addInitializer(scalar(3).toBuilder().setName("three"));
    add("s = Shape(x)");
    add("rows = Gather(s, zero)");
    add("rows1 = Unsqueeze(rows, first)");
    add("target = Concat(minus, rows1)", integer("axis", 0));
    add("turned = Reshape(x, target)");
    add("places = NonZero(x)");
    add("pairs = Transpose(places)");
    add("found = GatherND(x, pairs)");
    add("k1 = Unsqueeze(k, first)");
    add("top, at = TopK(x, k1)", integer("axis", 0), integer("largest", one(0, 1)));
    add("range = Range(zero, rows, step)");
    add("hot = OneHot(range, three, onoff)");
    graph.addInitializer(Models.floats("onoff", 0, 2));
    add("mean = ReduceMean(x)", integer("keepdims", 1));
    add("big = Greater(x, mean)");
    add("flat = Flatten(big)", integer("axis", 0));
    add("mask = Squeeze(flat, first)");
    add("kept = Compress(x, mask)");
    add("uniq, where, back, counts = Unique(x)", integer("sorted", one(0, 1)));
    add("tiles = Concat(k1, one)", integer("axis", 0));
    add("tiled = Tile(x, tiles)");
    add("filled = ConstantOfShape(tiles)", Models.tensor("value", Models.floats("", 7)));
    add("wide = Expand(filled, tiles)");
    add("zeros = Sub(x, x)");
    add("spread = ScatterND(zeros, pairs, found)");
    for (String name : List.of("turned", "found", "top", "hot", "kept", "uniq", "tiled", "wide", "spread")) {
      typed(name, DType.FLOAT32);
    }
    for (String name : List.of("at", "range", "where", "counts")) {
      typed(name, DType.INT64);
    }
  }

  /** Conditions and counts of one axis, bodies that hand on what is outside, no trip, containers from branches. */
  private void control() {
    input("x", -1, 3);
    whole("m", 0, 4);
    flag("p");
    graph.addInitializer(Models.longs("one", 1)).addInitializer(Models.longs("first", 0))
      .addInitializer(scalar(0).toBuilder()
        .setName("zero"));
    weight("w", 3);
    add("p1 = Unsqueeze(p, first)");
    add("m1 = Unsqueeze(m, first)");
    boolean isFlat = coin();
    // Branches hand on a value from outside, a weight of their own, or one of the graph.
    GraphProto.Builder then = body(List.of(), List.of(node("h = Identity(x)")), "h");
    GraphProto.Builder otherwise = body(List.of(), List.of(node("o = Add(own, w)")), "o")
      .addInitializer(Models.floats("own",
        1, 2, 3));
    add("a = If(" + (isFlat ? "p1" : "p") + ")", body("then_branch", coin()
      ? then
      : body(List.of(), List.of(node(
        "i = Identity(w)")), "i")),
      body("else_branch", otherwise));
    // A value carried unchanged, one swapped with another, results of a value from outside and of the trip's number.
    List<NodeProto> nodes = List.of(node("k2 = Identity(k)"), node("v2 = Neg(u)"), node("u2 = Identity(v)"), node(
      "n = Add(i, i)"), node("c2 = Identity(c)"), node("x2 = Identity(w)"));
    add("c_last, u_last, v_last, ns, xs = Loop(" + (isFlat ? "m1" : "m") + ", , w, x, x)",
      body("body", body(List.of("int i",
        "bool k", "float c", "float u", "float v"), nodes, "k2", "c2", "u2", "v2", "n", "x2")));
    // A sequence from a branch, read behind it.
    add("s = If(p)", body("then_branch", body(List.of(), List.of(node("q = SequenceConstruct(x, w)")), "q")), body(
      "else_branch", body(List.of(), List.of(node("t = SplitToSequence(x, one)", integer("axis", 0))), "t")));
    add("e = SequenceAt(s, zero)");
    add("len = SequenceLength(s)");
    // A loop in a scan in a loop, which all read values of each other.
    NodeProto inner = node("f = Loop(two, , g)", body("body", body(List.of("int j", "bool l", "float h"), List.of(node(
      "l2 = Identity(l)"), node("h2 = Add(h, d)"), node("h3 = Mul(h2, w)")), "l2", "h3")));
    NodeProto scan = node("d2, rows = Scan(d, x)", integer("num_scan_inputs", 1), body("body", body(List.of("float z",
      "float r"),
      List.of(node("g = " + binary() + "(z, r)"), inner, node("y = " + one("Tanh", "Sigmoid") + "(f)"), node(
        "z2 = Identity(y)")),
      "three z2", "three y")));
    graph.addInitializer(scalar(2).toBuilder().setName("two"));
    add("deep, all = Loop(two, p, w)", body("body", body(List.of("int i", "bool k", "float d"), List.of(node(
      "k3 = Identity(k)"), scan), "k3", "d2", "rows")));
    for (String name : List.of("a", "c_last", "u_last", "v_last", "e", "deep")) {
      typed(name, DType.FLOAT32);
    }
    typed("len", DType.INT64);
    typed("ns", DType.INT64);
  }

  /** Bytes of an image to normalised numbers of a type, with the layout turned. */
  private void preprocessing() {
    DType dtype = one(DType.FLOAT32, DType.FLOAT16, DType.FLOAT64);
    graph.addInput(ValueInfoProto.newBuilder().setName("image")
      .setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
        .newBuilder().setElemType(2).setShape(TensorShapeProto.newBuilder().addDim(dim("h")).addDim(dim("w")).addDim(
          TensorShapeProto.Dimension.newBuilder().setDimValue(3))))));
    for (int run = 0; run < inputs.size(); run++) {
      long[] extents = {5 + run, 7 - run, 3};
      byte[] bytes = new byte[(int) Shape.of(extents).elementCount()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextInt(256);
      }
      inputs.get(run).put("image", new TensorView(TensorType.of(DType.UINT8, extents), MemorySegment.ofArray(bytes)));
    }
    graph.addInitializer(Models.longs("first", 0)).addInitializer(Models.longs("axis", 0, 1))
      .addInitializer(Models.longs(
        "size", 4, 4))
      .addInitializer(Models.floats("mean", 120, 115, 100)).addInitializer(Models.floats("deviation", 58, 57,
        57))
      .addInitializer(Models.longs("flip", -1)).addInitializer(Models.longs("end", Long.MIN_VALUE)).addInitializer(
        Models.longs("last", 2));
    add("reversed = Slice(image, flip, end, last, flip)");
    add("number = Cast(reversed)", integer("to", 1));
    add("centred = Sub(number, mean)");
    add("scaled = Div(centred, deviation)");
    add("turned = Transpose(scaled)", ints("perm", 2, 0, 1));
    add("batch = Unsqueeze(turned, first)");
    graph.addInitializer(Models.longs("whole", 1, 3, 4, 4));
    add("resized = Resize(batch, , , whole)", text("mode", one("linear", "cubic",
      "nearest")), integer("antialias", 0), text("coordinate_transformation_mode",
        one("half_pixel", "asymmetric",
          "pytorch_half_pixel")),
      real("cubic_coeff_a", -0.5f));
    add("typed = Cast(resized)", integer("to", ElementTypes.number(dtype)));
    add("clipped = Clip(typed, low, high)");
    graph.addInitializer(converted("low", dtype, -1)).addInitializer(converted("high", dtype, 1));
    add("largest = ReduceMax(clipped)", integer("keepdims", 0));
    add("y = Cast(clipped)", integer("to", 1));
    add("top = Cast(largest)", integer("to", 1));
    add("bytes = Cast(number)", integer("to", 2));
    add("whole_numbers = Cast(image)", integer("to", 6));
    add("sum = ReduceSum(whole_numbers, axis)", integer("keepdims", one(0, 1)));
    typed("y", DType.FLOAT32);
    typed("top", DType.FLOAT32);
    typed("bytes", DType.UINT8);
    typed("sum", DType.INT32);
  }

  private static TensorShapeProto.Dimension.Builder dim(String name) {
    return TensorShapeProto.Dimension.newBuilder().setDimParam(name);
  }

  private static TensorProto converted(String name, DType dtype, int value) {
    var tensor = TensorProto.newBuilder().setName(name).setDataType(ElementTypes.number(dtype));
    return switch (dtype) {
      case FLOAT64 -> tensor.addDoubleData(value).build();
      case FLOAT16 -> tensor.addInt32Data(Float.floatToFloat16(value) & 0xffff).build();
      default -> tensor.addFloatData(value).build();
    };
  }

  /** Boxes and scores that are decoded, suppressed, gathered and written elsewhere. */
  private void detection() {
    input("raw", 1, -6, 4);
    input("scores", 1, 2, -6);
    graph.addInitializer(scalar(3).toBuilder().setName("most0")).addInitializer(Models.longs("most", 3))
      .addInitializer(Models
        .floats("iou", 0.5f))
      .addInitializer(Models.floats("threshold", one(-3f, 0.25f, 9f))).addInitializer(Models.longs("two",
        2))
      .addInitializer(Models.longs("last", 2)).addInitializer(Models.longs("lengths", 1, 2))
      .addInitializer(Models.longs(
        "one", 1))
      .addInitializer(Models.longs("column", 2)).addInitializer(Models.longs("minus", -1)).addInitializer(Models
        .longs("square", -1, 4));
    add("xy, wh = Split(raw)", integer("axis", 2), integer("num_outputs", 2));
    add("half = Abs(wh)");
    add("low = Sub(xy, half)");
    add("high = Add(xy, half)");
    boolean isCentre = coin();
    add("boxes = Concat(" + (isCentre ? "xy, half" : "low, high") + ")", integer("axis", -1));
    add(
      "kept = NonMaxSuppression(boxes, scores, " + one("most, iou, threshold", "most, , threshold", "most, iou", "most")
        + ")",
      integer("center_point_box", isCentre ? 1 : 0));
    add("at = Gather(kept, column)", integer("axis", 1));
    add("flat = Reshape(at, minus)");
    add("rows = Reshape(boxes, square)");
    add("found = Gather(rows, flat)");
    add("best = ReduceMax(scores, one)", integer("keepdims", 0));
    add("class = ArgMax(scores)", integer("axis", 1), integer("keepdims", 0), integer("select_last_index", one(0, 1)));
    add("n = Shape(kept)", integer("start", 0), integer("end", 1));
    add("ones = ConstantOfShape(n)", Models.tensor("value", Models.floats("", 1)));
    add("total = ReduceSum(ones)", integer("keepdims", 0));
    add("zeros = Mul(rows, none)");
    graph.addInitializer(Models.floats("none", 0));
    add("index = Unsqueeze(flat, one)");
    add("spread = ScatterND(zeros, index, found)", text("reduction", one("none", "add", "max")));
    for (String name : List.of("boxes", "found", "best", "total", "spread")) {
      typed(name, DType.FLOAT32);
    }
    typed("kept", DType.INT64);
    typed("class", DType.INT64);
  }

  /** Weights and values of 8 bits between marks, with scales of one number and of each channel. */
  private void quantized() {
    input("x", -1, 3, 5, 5);
    boolean isSigned = coin();
    int type = isSigned ? 3 : 2;
    byte[] bytes = new byte[4 * 3 * 3 * 3];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(-20, 21);
    }
    graph
      .addInitializer(TensorProto.newBuilder().setName("k").setDataType(3).addDims(4).addDims(3).addDims(3).addDims(3)
        .setRawData(ByteString.copyFrom(bytes)));
    boolean isOfChannels = coin();
    graph.addInitializer(isOfChannels
      ? Models.floats("ks", 0.03125f, 0.0625f, 0.125f, 0.015625f)
      : Models.floats("ks", 0.0625f).toBuilder().clearDims().build());
    graph.addInitializer(isOfChannels
      ? TensorProto.newBuilder().setName("kz").setDataType(3).addDims(4).setRawData(ByteString.copyFrom(new byte[4]))
        .build()
      : TensorProto.newBuilder().setName("kz").setDataType(3).setRawData(ByteString.copyFrom(new byte[1])).build());
    graph.addInitializer(Models.floats("s", 0.03125f).toBuilder().clearDims())
      .addInitializer(TensorProto.newBuilder().setName(
        "z").setDataType(type).addInt32Data(isSigned ? -3 : 120));
    add("q = QuantizeLinear(x, s, z)");
    add("d = DequantizeLinear(q, s, z)");
    add("w = DequantizeLinear(k, ks, kz)", integer("axis", 0));
    add("c = Conv(d, w)", ints("pads", 1, 1, 1, 1));
    add("r = Relu(c)");
    add("q2 = QuantizeLinear(r, s2, z)");
    graph.addInitializer(Models.floats("s2", 0.25f).toBuilder().clearDims());
    add("y = DequantizeLinear(q2, s2, z)");
    add("u, us, uz = DynamicQuantizeLinear(x)");
    add("p = MaxPool(q2)", ints("kernel_shape", 2, 2), ints("strides", 2, 2));
    add("pd = DequantizeLinear(p, s2, z)");
    typed("q", isSigned ? DType.INT8 : DType.UINT8);
    typed("d", DType.FLOAT32);
    typed("c", DType.FLOAT32);
    typed("us", DType.FLOAT32);
    typed("uz", DType.UINT8);
  }

  /** Tokens to embeddings, attention with a mask, norms written with means, and a cache that grows. */
  private void transformer() {
    graph.addInput(ValueInfoProto.newBuilder().setName("ids")
      .setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
        .newBuilder().setElemType(7)
        .setShape(TensorShapeProto.newBuilder().addDim(dim("batch")).addDim(dim("length"))))));
    input("past", -1, 2, -3, 4);
    for (int run = 0; run < inputs.size(); run++) {
      long batch = Objects.requireNonNull(inputs.get(run).get("past")).shape().extent(0);
      long[] ids = new long[(int) batch * (run + 1)];
      Arrays.setAll(ids, _ -> random.nextInt(-10, 10));
      inputs.get(run).put("ids",
        new TensorView(TensorType.of(DType.INT64, batch, run + 1), MemorySegment.ofArray(ids)));
    }
    weight("table", 10, 8);
    weight("wq", 8, 8);
    weight("wk", 8, 8);
    weight("wv", 8, 8);
    weight("gain", 8);
    graph.addInitializer(Models.longs("heads", 0, 0, 2, 4)).addInitializer(Models.longs("joined", 0, 0, -1))
      .addInitializer(
        Models.longs("last", -1))
      .addInitializer(Models.floats("eps", 1e-5f)).addInitializer(Models.floats("root", 2)
        .toBuilder().clearDims())
      .addInitializer(Models.floats("low", Float.NEGATIVE_INFINITY).toBuilder().clearDims())
      .addInitializer(Models.longs("one", 1)).addInitializer(scalar(0).toBuilder().setName("zero"))
      .addInitializer(scalar(1)
        .toBuilder().setName("step"));
    add("e = Gather(table, ids)");
    add("m = ReduceMean(e, last)");
    add("c = Sub(e, m)");
    add("c2 = " + one("Mul(c, c)", "Pow(c, root)"));
    add("v = ReduceMean(c2, last)");
    add("ve = Add(v, eps)");
    add("sd = Sqrt(ve)");
    add("n = Div(c, sd)");
    add("h = Mul(n, gain)");
    for (String each : List.of("q", "k", "v")) {
      add(each + "m = MatMul(h, w" + each + ")");
      add(each + "h = Reshape(" + each + "m, heads)");
      add(each + "t = Transpose(" + each + "h)", ints("perm", 0, 2, 1, 3));
    }
    add("keys = Concat(past, kt)", integer("axis", 2));
    add("values = Concat(past, vt)", integer("axis", -2));
    if (coin()) {
      add("kk = Transpose(keys)", ints("perm", 0, 1, 3, 2));
      add("s = MatMul(qt, kk)");
    } else {
      add("s = Einsum(qt, keys)", text("equation", "bhqd,bhkd->bhqk"));
    }
    add("scaled = Div(s, root)");
    add("shape = Shape(s)");
    add("all = ConstantOfShape(shape)",
      Models.tensor("value", TensorProto.newBuilder().setDataType(9).addDims(1).addInt32Data(
        1).build()));
    add("ends = Shape(keys)", integer("start", 2), integer("end", 3));
    add("starts = Shape(qt)", integer("start", 2), integer("end", 3));
    add("offset = Sub(ends, starts)");
    add("diagonal = Squeeze(offset)");
    add("numbers = Cast(all)", integer("to", 7));
    add("lower = Trilu(numbers, diagonal)", integer("upper", 0));
    add("mask = Cast(lower)", integer("to", 9));
    add("masked = Where(mask, scaled, low)");
    add("prob = Softmax(masked)", integer("axis", -1));
    add("ctx = MatMul(prob, values)");
    add("back = Transpose(ctx)", ints("perm", 0, 2, 1, 3));
    add("y = Reshape(back, joined)");
    add("gelu = " + one("Gelu(y)", "Mish(y)", "Sigmoid(y)"));
    add("positions = CumSum(numbers, axis)");
    graph.addInitializer(scalar(-1).toBuilder().setName("axis"));
    typed("gelu", DType.FLOAT32);
    typed("keys", DType.FLOAT32);
    typed("prob", DType.FLOAT32);
    typed("positions", DType.INT64);
  }

  private void signals() {
    input("x", -1, 16, 1);
    graph.addInitializer(scalar(4).toBuilder().setName("step")).addInitializer(scalar(8).toBuilder().setName("length"))
      .addInitializer(scalar(8).toBuilder().setName("size")).addInitializer(scalar(1).toBuilder().setName("axis"))
      .addInitializer(Models.longs("last", -1)).addInitializer(scalar(5).toBuilder().setName("bins"))
      .addInitializer(scalar(
        16_000).toBuilder().setName("rate"))
      .addInitializer(Models.floats("low", 0).toBuilder().clearDims()).addInitializer(
        Models.floats("high", 8000).toBuilder().clearDims());
    add("window = " + one("HannWindow", "HammingWindow", "BlackmanWindow") + "(size)", integer("periodic", one(0, 1)));
    boolean isHalf = coin();
    add("f = STFT(x, step, window, length)", integer("onesided", isHalf ? 1 : 0));
    add("power = ReduceSumSquare(f, last)", integer("keepdims", 0));
    add("d = DFT(x, , axis)", integer("onesided", one(0, 1)), integer("inverse", 0));
    if (isHalf) {
      add("mel = MelWeightMatrix(bins, length, rate, low, high)");
      add("y = MatMul(power, mel)");
    } else {
      add("y = Identity(power)");
    }
    typed("y", DType.FLOAT32);
    typed("d", DType.FLOAT32);
    typed("f", DType.FLOAT32);
  }

  /**
   * Names with signs, nodes without names or with those of values, values that are results twice, inputs that nothing
   * reads.
   */
  private void names() {
    String odd = one("a/b:0", "x y", "\u00e4\u00df", "-1", "\"q\"", "%s{}", "a,b");
    input("in/put:0", -1, 3);
    input("unread", 2);
    weight(odd, 3);
    graph.addInitializer(Models.floats("unread weight", 1));
    NodeProto.Builder first = NodeProto.newBuilder().setOpType(binary()).addInput("in/put:0").addInput(odd)
      .addOutput("y=1");
    graph.addNode(first)
      .addNode(NodeProto.newBuilder().setOpType("Relu").setName("y=1").addInput("y=1").addOutput("z;"))
      .addNode(NodeProto.newBuilder().setOpType("Neg").setName("twice").addInput("z;").addOutput("twice").setDomain(
        "ai.onnx"))
      .addNode(NodeProto.newBuilder().setOpType("TopK").setName("in/put:0").addInput("twice").addInput("k")
        .addOutput("v a l").addOutput("places"))
      .addNode(NodeProto.newBuilder().setOpType("Identity").addInput(odd).addOutput(
        "copy"))
      .addNode(NodeProto.newBuilder().setOpType("Identity").addInput("in/put:0").addOutput("same"));
    graph.addInitializer(Models.longs("k", 2));
    for (String name : List.of("y=1", "twice", "copy", "same", odd)) {
      typed(name, DType.FLOAT32);
    }
    typed("places", DType.INT64);
  }
}
