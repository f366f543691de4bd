package dev.cairn.benchmarks.written;

import com.google.protobuf.ByteString;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** An ONNX model, or a body of one of its nodes, written node by node. Weights come from a seed. */
public final class WrittenModel {
  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("written");
  private final SplittableRandom random;
  private final AtomicInteger names;

  private WrittenModel(SplittableRandom random, AtomicInteger names) {
    this.random = random;
    this.names = names;
  }

  /** An empty model. */
  public static WrittenModel of(long seed) {
    return new WrittenModel(new SplittableRandom(seed), new AtomicInteger());
  }

  /** A body; it may read the names of this one. */
  public WrittenModel body() {
    return new WrittenModel(random, names);
  }

  /** @param extents -1 for an open one */
  public String input(String name, DType dtype, long... extents) {
    graph.addInput(value(name, dtype, extents));
    return name;
  }

  /** @param extents -1 for an open one */
  public void output(String name, DType dtype, long... extents) {
    graph.addOutput(value(name, dtype, extents));
  }

  /** An output whose type follows from the nodes. */
  public void output(String name) {
    graph.addOutput(ValueInfoProto.newBuilder().setName(name));
  }

  private ValueInfoProto value(String name, DType dtype, long... extents) {
    var shape = TensorShapeProto.newBuilder();
    for (long extent : extents) {
      var dimension = shape.addDimBuilder();
      if (extent < 0) {
        dimension.setDimParam("d" + names.getAndIncrement());
      } else {
        dimension.setDimValue(extent);
      }
    }
    return ValueInfoProto.newBuilder().setName(name).setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor
      .newBuilder().setElemType(ElementTypes.number(dtype)).setShape(shape))).build();
  }

  /** Random weights of a size that keeps results near 1. */
  public String weights(long... shape) {
    long count = LongStream.of(shape).reduce(1, (a, b) -> a * b);
    double most = Math.sqrt(3.0 * Math.max(1, shape[0]) / count);
    ByteBuffer bytes = buffer(count * Float.BYTES);
    for (long i = 0; i < count; i++) {
      bytes.putFloat((float) random.nextDouble(-most, most));
    }
    return initializer(DType.FLOAT32, bytes, shape);
  }

  /** The same number throughout. */
  public String filled(double value, long... shape) {
    long count = LongStream.of(shape).reduce(1, (a, b) -> a * b);
    ByteBuffer bytes = buffer(count * Float.BYTES);
    for (long i = 0; i < count; i++) {
      bytes.putFloat((float) value);
    }
    return initializer(DType.FLOAT32, bytes, shape);
  }

  /** Numbers that the caller knows. */
  public String floats(float[] values, long... shape) {
    ByteBuffer bytes = buffer((long) values.length * Float.BYTES);
    bytes.asFloatBuffer().put(values);
    return initializer(DType.FLOAT32, bytes, shape);
  }

  /** Weights of a quantised layer. They are small enough for processors without VNNI to add them up exactly. */
  public String bytes(long... shape) {
    ByteBuffer bytes = buffer(LongStream.of(shape).reduce(1, (a, b) -> a * b));
    while (bytes.hasRemaining()) {
      bytes.put((byte) random.nextInt(-63, 64));
    }
    return initializer(DType.INT8, bytes, shape);
  }

  /** A row of whole numbers. */
  public String longs(long... values) {
    ByteBuffer bytes = buffer((long) values.length * Long.BYTES);
    Arrays.stream(values).forEach(bytes::putLong);
    return initializer(DType.INT64, bytes, values.length);
  }

  /** A whole number. */
  public String scalar(long value) {
    return initializer(DType.INT64, buffer(Long.BYTES).putLong(value));
  }

  private static ByteBuffer buffer(long bytes) {
    return ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private String initializer(DType dtype, ByteBuffer bytes, long... shape) {
    String name = "w" + names.getAndIncrement();
    graph.addInitializer(TensorProto.newBuilder().setName(name).setDataType(ElementTypes.number(dtype)).addAllDims(
      LongStream.of(shape).boxed().toList()).setRawData(ByteString.copyFrom(bytes.rewind())));
    return name;
  }

  /** A node with one result, whose name this is. */
  public String node(String operator, List<String> inputs, AttributeProto... attributes) {
    return nodes(operator, inputs, 1, attributes).getFirst();
  }

  /** A node with several results, whose names these are. */
  public List<String> nodes(String operator, List<String> inputs, int outputs, AttributeProto... attributes) {
    int number = names.getAndIncrement();
    var node = NodeProto.newBuilder().setOpType(operator).setName(operator + number).addAllInput(inputs)
      .addAllAttribute(List.of(attributes));
    for (int i = 0; i < outputs; i++) {
      node.addOutput("v%d_%d".formatted(number, i));
    }
    graph.addNode(node);
    return node.getOutputList();
  }

  /** An attribute. */
  public static AttributeProto ints(String name, long... values) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INTS)
      .addAllInts(LongStream.of(values).boxed()
        .toList())
      .build();
  }

  /** An attribute. */
  public static AttributeProto whole(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  /** An attribute. */
  public static AttributeProto text(String name, String value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.STRING).setS(ByteString.copyFromUtf8(value))
      .build();
  }

  /** An attribute. */
  public static AttributeProto body(String name, WrittenModel body) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.GRAPH).setG(body.graph).build();
  }

  /** The bytes of the model's file. */
  public byte[] file() {
    return file(8, 17);
  }

  /** The bytes of the model's file, of this version of the format and this operator set. */
  public byte[] file(long version, long opset) {
    return ModelProto.newBuilder().setIrVersion(version).addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(
      opset)).setGraph(graph).build().toByteArray();
  }
}
