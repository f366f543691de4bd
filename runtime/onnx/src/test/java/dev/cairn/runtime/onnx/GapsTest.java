package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Cairn does not have is listed at once, with node names, and before any weight is looked at. */
class GapsTest {
  private static final AttributeProto BRANCH = AttributeProto.newBuilder().setName("then_branch")
    .setType(AttributeType.GRAPH).setG(GraphProto.newBuilder())
    .build();

  @TempDir
  private Path folder;

  @Test
  void allGapsAreListedInTheModelsOrderThoughAWeightIsMissing() {
    var model = Models.model(13, new long[] {2}, node("a = Unheard(x)"), node("b = If(a)", BRANCH),
      node("c = Relu(b)", BRANCH), node("d = Conv(c, w)").toBuilder().setDomain("com.example").build(),
      node("e = Cast(d)", integer("to", 14)), node("y = Add(e, w)")).toBuilder();
    model.getGraphBuilder()
      .addInput(Models.value("s", DType.FLOAT32).toBuilder().setType(type(14)))
      .addInitializer(TensorProto.newBuilder().setName("w").setDataType(1).addDims(3)
        .setDataLocation(TensorProto.DataLocation.EXTERNAL)
        .addExternalData(StringStringEntryProto.newBuilder().setKey("location").setValue("missing.bin")))
      .addInitializer(TensorProto.newBuilder().setName("wide").setDataType(15).addDims(3))
      .addSparseInitializer(SparseTensorProto.newBuilder().setValues(TensorProto.newBuilder().setName("sparse")
        .setDataType(14)));
    assertGaps(model.build(), """
      s (input): element type complex64
      wide (initializer): element type complex128
      sparse (initializer): element type complex64
      unheard_a (Unheard): no such operator
      relu_c (Relu): attribute then_branch of kind GRAPH
      conv_d (com.example::Conv): no such operator
      cast_e (Cast): cast to element type complex64
      """);
  }

  @Test
  void versionsOfTheFile() {
    var model = Models.model(13, new long[] {2}, node("y = Relu(x)")).toBuilder();
    assertGaps(model.setIrVersion(0).build(), "test (IR version 0): Cairn reads IR versions 1 to 13\n");
    assertGaps(model.setIrVersion(14).build(), "test (IR version 14): Cairn reads IR versions 1 to 13\n");
    for (int version = 1; version <= 13; version++) {
      Models.read(model.setIrVersion(version).build(), folder);
    }
  }

  @Test
  void versionsOfTheOperators() {
    NodeProto unheard = node("y = Unheard(x)");
    assertGaps(Models.model(28, new long[] {2}, unheard),
      "test (opset 28): Cairn reads opsets up to 27\nunheard_y (Unheard): no such operator\n");
    for (int opset = 1; opset <= 27; opset++) {
      Models.read(Models.model(opset, new long[] {2}, node("y = Relu(x)")), folder);
    }
  }

  @Test
  void theStandardDomainMayBeSpelledOut() {
    var model = Models.model(13, new long[] {2}, node("y = Relu(x)").toBuilder().setDomain("ai.onnx").build());
    assertEquals("x = input float32[2]\nrelu_y = Relu(x)\nreturn y=relu_y\n", Models.read(model, folder).toString());
    var imported = model.toBuilder().clearOpsetImport().addOpsetImport(Models.opset("ai.onnx", 13)).build();
    Models.read(imported, folder);
  }

  @Test
  void inputsThatAreNoTensors() {
    var inner = TypeProto.newBuilder().setSequenceType(TypeProto.Sequence.newBuilder().setElemType(type(1)));
    var sequence = TypeProto.newBuilder().setSequenceType(TypeProto.Sequence.newBuilder().setElemType(inner));
    var model = Models.model(13).setGraph(Models.graph(node("y = Relu(x)"))
      .addInput(ValueInfoProto.newBuilder().setName("x").setType(sequence)));
    assertGaps(model.build(), "x (input): a value that is not a dense tensor: type=sequence\n");
  }

  @Test
  void usesOfKnownOperators() {
    assertGaps(Models.model(14, new long[] {2}, node("a, m, v = BatchNormalization(x, x, x, x, x)"),
      node("y = Add(a, v)")),
      "batchnormalization_a (BatchNormalization): batch statistics, which only training needs\n");
    assertGaps(Models.model(13, new long[] {2}, node("y = Cast(x)", integer("to", 15))),
      "cast_y (Cast): cast to element type complex128\n");
    assertGaps(Models.model(15, new long[] {2}, node("y = Bernoulli(x)", integer("dtype", 14))),
      "bernoulli_y (Bernoulli): element type complex64\n");
    assertGaps(Models.model(13, new long[] {2}, node("y = Relu(x, x)")),
      "relu_y (Relu): 2 inputs, of which 1 are known\n");
    assertGaps(
      Models.model(13, new long[] {2}, node("y = Constant()", AttributeProto.newBuilder().setName("sparse_value")
        .setSparseTensor(SparseTensorProto.newBuilder().setValues(TensorProto.newBuilder().setDataType(14))).build())),
      "constant_y (Constant): element type complex64 in attribute sparse_value\n");
    assertGaps(Models.model(13, new long[] {2}, node("y = Relu(x)", AttributeProto.newBuilder().setName("sparse_value")
      .setSparseTensor(SparseTensorProto.newBuilder()).build())),
      "relu_y (Relu): attribute sparse_value of kind SPARSE_TENSOR\n");
    assertGaps(Models.model(13, new long[] {2}, node("y = Constant()", Models.tensor("value",
      TensorProto.newBuilder().setDataType(14).build()))),
      "constant_y (Constant): element type complex64 in attribute value\n");
  }

  @Test
  void unreadResultsAreNoGaps() {
    NodeProto norm = node("y, m, v = BatchNormalization(x, x, x, x, x)").toBuilder().setName("norm").build();
    assertEquals("x = input float32[2]\nnorm = BatchNormalization(x, x, x, x, x)\nreturn y=norm\n",
      Models.read(Models.model(14, new long[] {2}, norm), folder).toString());
  }

  private static TypeProto type(int elementType) {
    return TypeProto.newBuilder().setTensorType(TypeProto.Tensor.newBuilder().setElemType(elementType)).build();
  }

  private void assertGaps(ModelProto model, String lines) {
    var missing = assertThrows(UnsupportedOperators.class, () -> Models.read(model, folder));
    assertEquals(List.of(lines.split("\n", 0)), missing.gaps().stream().map(Object::toString).toList());
  }
}
