package dev.cairn.runtime.cli;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.OperatorSetIdProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Writes small ONNX files: good ones with the writer, bad ones message by message. */
final class SmallModels {
  /** Elements of the input of {@link #counted}. */
  static final int COUNTED = 1025;
  private static final int FLOAT = 1;

  private SmallModels() {}

  /** The same with a name of the open dimension. */
  static Path named(Path folder, String dimension) throws IOException {
    return sum(folder.resolve("named.onnx"), new Dimension.Symbol(dimension), 10, 20, 30);
  }

  /** y = relu(x + w), w of three numbers, x and y float32[batch, 3] with the batch open. */
  static Path open(Path folder) throws IOException {
    return sum(folder.resolve("open.onnx"), new Dimension.Symbol("batch"), 10, 20, 30);
  }

  /** The same with these weights and x float32[2, 3]. */
  static Path fixed(Path folder, float... weights) throws IOException {
    return sum(folder.resolve("fixed.onnx"), new Dimension.Fixed(2), weights);
  }

  /** y = (mean of four times a, plus a) turned, a = tanh(x): a is held in between, unless it is computed again. */
  static Path held(Path folder) throws IOException {
    var builder = new GraphBuilder("held");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 256, 256));
    NodeEntry a = builder.apply("Tanh", x);
    NodeEntry wide = builder.apply("Concat", Attributes.NONE.with("axis", 0), a, a, a, a);
    NodeEntry turned = builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(1, 0)), wide);
    NodeEntry sum = builder.apply("Add",
      builder.apply("ReduceMean", turned, builder.constant("axes", TensorView.ofLongs(
        1))),
      a);
    builder.output("y", builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(1, 0)), sum));
    var graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), folder.resolve("held.onnx"));
    return folder.resolve("held.onnx");
  }

  private static Path sum(Path file, Dimension batch, float... weights) throws IOException {
    var builder = new GraphBuilder("sum");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(batch, new Dimension.Fixed(3))));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(3), weights));
    builder.output("y", builder.apply("Relu", builder.apply("Add", x, w)));
    var graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    return file;
  }

  /**
   * y = tanh(relu(softmax(x xT) x w)), x and y float32[2, 3, 64, 8]: attention, a product with a weight, and neighbours
   * to be fused.
   */
  static Path attention(Path folder) throws IOException {
    var builder = new GraphBuilder("attention");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 3, 64, 8));
    NodeEntry keys = builder.apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(0, 1, 3, 2)), x);
    NodeEntry shares = builder.apply("Softmax", builder.apply("MatMul", x, keys));
    float[] weights = new float[8 * 8];
    Arrays.fill(weights, 0.125f);
    NodeEntry mixed = builder.apply("MatMul", builder.apply("MatMul", shares, x), builder.constant("w", TensorView
      .ofFloats(Shape.of(8, 8), weights)));
    builder.output("y", builder.apply("Tanh", builder.apply("Relu", mixed)));
    var graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), folder.resolve("attention.onnx"));
    return folder.resolve("attention.onnx");
  }

  /** z = x + y where both read int64[4]. */
  static Path tokens(Path folder) throws IOException {
    var builder = new GraphBuilder("tokens");
    var type = new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(4)));
    builder.output("z", builder.apply("Add", builder.input("x", type), builder.input("y", type)));
    var graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), folder.resolve("tokens.onnx"));
    return folder.resolve("tokens.onnx");
  }

  /** y = w[i] for a w of three numbers and i int64[1]. */
  static Path lookup(Path folder) throws IOException {
    var builder = new GraphBuilder("lookup");
    NodeEntry i = builder.input("i", new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(1))));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(3), 1, 2, 3));
    builder.output("y", builder.apply("Gather", w, i));
    var graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), folder.resolve("lookup.onnx"));
    return folder.resolve("lookup.onnx");
  }

  /**
   * y = minus the numbers from 0 up to the greatest n + 3, for n of int64: as many as it says. There are more n than a
   * plan is made for the values of.
   */
  static Path counted(Path folder) throws IOException {
    var builder = new GraphBuilder("counted");
    NodeEntry n = builder.input("n", new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(COUNTED))));
    NodeEntry most = builder.apply("ReduceMax", Attributes.NONE.with("keepdims", 0), n);
    NodeEntry end = builder.apply("Add", most, builder.constant("three", scalar(3)));
    NodeEntry range = builder.apply("Range", builder.constant("zero", scalar(0)), end, builder.constant("one", scalar(
      1)));
    builder.output("y", builder.apply("Neg", range));
    var type = new DeclaredType(DType.INT64, List.of(new Dimension.Symbol("count")));
    OnnxWriter.write(builder.build(), List.of(type), folder.resolve("counted.onnx"));
    return folder.resolve("counted.onnx");
  }

  /** y = the sines of the places where relu of x, float32[2000], is not zero; z = the sum of x. */
  static Path selected(Path folder) throws IOException {
    var builder = new GraphBuilder("selected");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(2000))));
    NodeEntry places = builder.apply("NonZero", builder.apply("Sin", builder.apply("Relu", x)));
    builder.output("y", builder.apply("Sin", builder.apply("Cos", builder.apply("Cast", Attributes.NONE.with("to",
      new AttributeValue.Text("float32")), places))));
    builder.output("z", builder.apply("ReduceSum", x));
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(1), new Dimension.Symbol("count")));
    var sum = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(1)));
    OnnxWriter.write(builder.build(), List.of(type, sum), folder.resolve("selected.onnx"));
    return folder.resolve("selected.onnx");
  }

  /** y = eight products with weights of 160 times 160 numbers, for x float32[2, 160]: the weights are most of it. */
  static Path weighty(Path folder) throws IOException {
    var builder = new GraphBuilder("weighty");
    NodeEntry at = builder.input("x", TensorType.of(DType.FLOAT32, 2, 160));
    for (int layer = 0; layer < 8; layer++) {
      float[] weights = new float[160 * 160];
      for (int i = 0; i < weights.length; i++) {
        weights[i] = (i * 7 + layer) % 13 / 64f - 0.09f;
      }
      at = builder.apply("Tanh", builder.apply("MatMul", at, builder.constant("w" + layer, TensorView.ofFloats(Shape.of(
        160, 160), weights))));
    }
    builder.output("y", at);
    var graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), folder.resolve("weighty.onnx"));
    return folder.resolve("weighty.onnx");
  }

  /** y = layers of a product and h/sigmoid(h), for x float32[512, 32]: gradients read all the cheap results. */
  static Path gated(Path folder, int layers) throws IOException {
    var builder = new GraphBuilder("gated");
    NodeEntry at = builder.input("x", TensorType.of(DType.FLOAT32, 512, 32));
    for (int layer = 0; layer < layers; layer++) {
      float[] weights = new float[32 * 32];
      for (int i = 0; i < weights.length; i++) {
        weights[i] = (i * 5 + layer) % 9 / 16f - 0.25f;
      }
      NodeEntry product = builder.apply("MatMul", at, builder.constant("w" + layer, TensorView.ofFloats(Shape.of(32,
        32), weights)));
      at = builder.apply("Div", product, builder.apply("Sigmoid", product));
    }
    builder.output("y", at);
    var graph = builder.build();
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), folder.resolve("gated.onnx"));
    return folder.resolve("gated.onnx");
  }

  private static TensorView scalar(long value) {
    return TensorView.ofLongs(value).reshaped(Shape.SCALAR);
  }

  /** y = x + w reshaped to n, for x float32[12], w of twelve numbers and n int64[2]. */
  static Path reshaped(Path folder) throws IOException {
    var builder = new GraphBuilder("reshaped");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Fixed(12))));
    NodeEntry n = builder.input("n", new DeclaredType(DType.INT64, List.of(new Dimension.Fixed(2))));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(12), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    builder.output("y", builder.apply("Reshape", builder.apply("Add", x, w), n));
    var type = new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("rows"), new Dimension.Symbol("columns")));
    OnnxWriter.write(builder.build(), List.of(type), folder.resolve("reshaped.onnx"));
    return folder.resolve("reshaped.onnx");
  }

  /** A node from {@code "y = Add(a, b)"}, named {@code node_y}. */
  static NodeProto node(String text) {
    String[] sides = text.split(" = ", -1);
    String[] call = sides[1].replace(")", "").split("\\(", -1);
    return NodeProto.newBuilder().setName("node_" + sides[0]).setOpType(call[0]).addOutput(sides[0])
      .addAllInput(Arrays.stream(
        call[1].split(",", -1)).map(String::strip).toList())
      .build();
  }

  /** A graph with the input x of these extents, the output y, and nodes as for {@link #node}. */
  static GraphProto.Builder graph(long[] extents, String... nodes) {
    return GraphProto.newBuilder().setName("test").addInput(value("x", extents)).addOutput(value("y", extents))
      .addAllNode(Stream
        .of(nodes).map(SmallModels::node).toList());
  }

  private static ValueInfoProto value(String name, long... extents) {
    var shape = TensorShapeProto.newBuilder();
    for (long extent : extents) {
      shape.addDimBuilder().setDimValue(extent);
    }
    return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
      .newBuilder().setElemType(FLOAT).setShape(shape))).build();
  }

  /** A float32[3] weight that lies in another file. */
  static TensorProto externalWeight(String name, String location) {
    var tensor = TensorProto.newBuilder().setName(name).setDataType(FLOAT).addDims(3).setDataLocation(
      TensorProto.DataLocation.EXTERNAL);
    tensor.addExternalDataBuilder().setKey("location").setValue(location);
    return tensor.build();
  }

  /** A float32[3] weight with the wrong number of bytes. */
  static TensorProto shortWeight(String name) {
    return TensorProto.newBuilder().setName(name).setDataType(FLOAT).addDims(3)
      .setRawData(ByteString.copyFrom(new byte[8]))
      .build();
  }

  static Path save(Path folder, GraphProto.Builder graph) throws IOException {
    ModelProto model = ModelProto.newBuilder().setIrVersion(8)
      .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
      .setGraph(graph).build();
    return Files.write(folder.resolve("model.onnx"), model.toByteArray());
  }
}
