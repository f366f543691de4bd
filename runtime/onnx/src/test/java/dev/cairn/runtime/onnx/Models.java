package dev.cairn.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
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
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Builds model files for tests, message by message, and reads them with a table of operators that has no type rules.
 */
final class Models {
  private Models() {}

  static OperatorTable operators() {
    return StandardOperators.table();
  }

  /** A model without a graph yet. */
  static ModelProto.Builder model(long opset) {
    return ModelProto.newBuilder().setIrVersion(8).addOpsetImport(opset("", opset));
  }

  static OperatorSetIdProto opset(String domain, long version) {
    return OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version).build();
  }

  /** A model with one input {@code x} and one output {@code y}, both float32. */
  static ModelProto model(long opset, long[] extents, NodeProto... nodes) {
    return model(opset).setGraph(graph(nodes).addInput(value("x", DType.FLOAT32, extents))).build();
  }

  /** A graph with the output {@code y}. */
  static GraphProto.Builder graph(NodeProto... nodes) {
    return GraphProto.newBuilder()
      .setName("test")
      .addAllNode(List.of(nodes))
      .addOutput(ValueInfoProto.newBuilder().setName("y").setType(
        TypeProto.newBuilder().setTensorType(TypeProto.Tensor.newBuilder().setElemType(1))));
  }

  static ValueInfoProto value(String name, DType dtype, long... extents) {
    var shape = TensorShapeProto.newBuilder();
    for (long extent : extents) {
      shape.addDimBuilder().setDimValue(extent);
    }
    var tensor = TypeProto.Tensor.newBuilder().setElemType(ElementTypes.number(dtype)).setShape(shape);
    return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(tensor)).build();
  }

  /** A node named after its operator and first output, from {@code "y, mask = Dropout(x)"}. */
  static NodeProto node(String text, AttributeProto... attributes) {
    List<String> sides = List.of(text.split(" = ", -1));
    String call = sides.get(1);
    String arguments = call.substring(call.indexOf('(') + 1, call.length() - 1);
    var node = NodeProto.newBuilder();
    words(sides.get(0)).forEach(node::addOutput);
    words(arguments).forEach(node::addInput);
    String operator = call.substring(0, call.indexOf('('));
    return node.setOpType(operator)
      .setName(operator.toLowerCase(Locale.ROOT) + "_" + node.getOutput(0))
      .addAllAttribute(List.of(attributes))
      .build();
  }

  private static List<String> words(String list) {
    return list.isBlank() ? List.of() : Arrays.stream(list.split(",", -1)).map(String::strip).toList();
  }

  static AttributeProto ints(String name, long... values) {
    var attribute = AttributeProto.newBuilder().setName(name).setType(AttributeType.INTS);
    Arrays.stream(values).forEach(attribute::addInts);
    return attribute.build();
  }

  static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  static AttributeProto real(String name, float value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.FLOAT).setF(value).build();
  }

  static AttributeProto text(String name, String value) {
    return AttributeProto.newBuilder()
      .setName(name)
      .setType(AttributeType.STRING)
      .setS(ByteString.copyFromUtf8(value))
      .build();
  }

  static AttributeProto tensor(String name, TensorProto value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.TENSOR).setT(value).build();
  }

  static TensorProto floats(String name, float... values) {
    var tensor = TensorProto.newBuilder().setName(name).setDataType(1).addDims(values.length);
    for (float value : values) {
      tensor.addFloatData(value);
    }
    return tensor.build();
  }

  static TensorProto longs(String name, long... values) {
    var tensor = TensorProto.newBuilder().setName(name).setDataType(7).addDims(values.length);
    Arrays.stream(values).forEach(tensor::addInt64Data);
    return tensor.build();
  }

  static Path save(ModelProto model, Path folder) {
    return save(model.toByteArray(), folder);
  }

  static Path save(byte[] bytes, Path folder) {
    try {
      return anew(folder.resolve("model.onnx"), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a file in place of one that may be there. That is removed first: ext4 waits for the disk when a file is
   * emptied and written again, which thousands of times takes longer than the tests themselves.
   */
  static Path anew(Path file, byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    return Files.write(file, bytes);
  }

  static Graph read(ModelProto model, Path folder) {
    return OnnxReader.read(save(model, folder), operators());
  }

  /** Checks that an error's message mentions something. */
  static void assertSays(Throwable error, String part) {
    String message = String.valueOf(error.getMessage());
    assertTrue(message.contains(part), () -> "wanted: " + part + "\ngiven: " + message);
  }

  /** The elements of a float32 tensor. */
  static float[] floats(TensorView view) {
    return view.segment().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }

  /** A file of the shared test data; empty where the data is not there. */
  static Optional<Path> shared(String name) {
    Path path = Path.of(System.getProperty("cairn.shared", "../../../shared")).resolve("data").resolve(name);
    return Files.exists(path) ? Optional.of(path) : Optional.empty();
  }
}
