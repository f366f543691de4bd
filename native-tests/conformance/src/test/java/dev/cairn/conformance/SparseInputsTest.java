package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.OperatorSetIdProto;
import dev.cairn.runtime.onnx.proto.TensorShapeProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models whose inputs are declared as sparse take dense tensors, and compute the same. */
class SparseInputsTest {
  private static final int FLOAT = 1;

  @TempDir
  private Path folder;

  private static TensorShapeProto.Builder shape(long... extents) {
    var shape = TensorShapeProto.newBuilder();
    for (long extent : extents) {
      shape.addDimBuilder().setDimValue(extent);
    }
    return shape;
  }

  private static AttributeProto flag(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(AttributeType.INT).setI(value).build();
  }

  /**
   * A product of a sparse matrix {@code a} and a dense one {@code b}.
   *
   * @param isOpen whether the model leaves the shapes open, which ONNX Runtime checks as if nothing was transposed
   */
  private Path product(long[] a, long[] b, boolean isOpen, boolean turnsA, boolean turnsB, float alpha)
    throws IOException {
    var matrix = TypeProto.SparseTensor.newBuilder().setElemType(FLOAT);
    var other = TypeProto.Tensor.newBuilder().setElemType(FLOAT);
    if (!isOpen) {
      matrix.setShape(shape(a));
      other.setShape(shape(b));
    }
    var sparse = TypeProto.newBuilder().setSparseTensorType(matrix);
    var dense = TypeProto.newBuilder().setTensorType(other);
    var node = NodeProto.newBuilder().setName("product").setOpType("SparseToDenseMatMul").setDomain("com.microsoft")
      .addInput("a").addInput("b").addOutput("y").addAttribute(flag("transA", turnsA ? 1 : 0)).addAttribute(flag(
        "transB", turnsB ? 1 : 0))
      .addAttribute(AttributeProto.newBuilder().setName("alpha").setType(
        AttributeType.FLOAT).setF(alpha));
    var graph = GraphProto.newBuilder().setName("g").addNode(node).addInput(ValueInfoProto.newBuilder().setName("a")
      .setType(sparse)).addInput(ValueInfoProto.newBuilder().setName("b").setType(dense)).addOutput(ValueInfoProto
        .newBuilder().setName("y").setType(TypeProto.newBuilder().setTensorType(TypeProto.Tensor.newBuilder()
          .setElemType(FLOAT))));
    var model = ModelProto.newBuilder().setIrVersion(10).addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("")
      .setVersion(17)).addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("com.microsoft").setVersion(1))
      .setGraph(
        graph);
    Path file = folder.resolve("product.onnx");
    Files.write(file, model.build().toByteArray());
    return file;
  }

  private static TensorView random(Random random, Shape shape, boolean isSparse) {
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = isSparse && random.nextInt(3) > 0 ? 0 : random.nextFloat(-1, 1);
    }
    return TensorView.ofFloats(shape, values);
  }

  @Test
  void productsEqualOnnxRuntime() throws IOException, OrtException {
    var random = new Random(3);
    for (int kind = 0; kind < 4; kind++) {
      boolean turnsA = kind % 2 == 1;
      boolean turnsB = kind > 1;
      float alpha = kind == 3 ? 0.5f : 1;
      Shape a = turnsA ? Shape.of(7, 5) : Shape.of(5, 7);
      Shape b = turnsB ? Shape.of(3, 7) : Shape.of(7, 3);
      Path file = product(a.extents(), b.extents(), turnsA || turnsB, turnsA, turnsB, alpha);
      TensorView sparse = random(random, a, true);
      TensorView dense = random(random, b, false);
      TensorView wanted;
      try (Oracle oracle = Oracle.open(file)) {
        wanted = Objects.requireNonNull(oracle.runWithSparse(Map.of("a", sparse, "b", dense), "a").get("y"));
      }
      try (Session session = Session.open(file, SessionOptions.DEFAULT);
        Tensor first = Tensor.copyOf(sparse);
        Tensor second = Tensor.copyOf(dense);
        Result result = session.run(Map.of("a", first, "b", second))) {
        assertThat(Objects.requireNonNull(session.info().inputs().get("a")).dtype()).isEqualTo(DType.FLOAT32);
        assertThat(new Closeness(1e-5, 1e-5).difference(wanted, result.get("y").view())).isEmpty();
      }
    }
  }
}
