package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.integer;
import static dev.cairn.runtime.onnx.Models.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.OptionalInputs;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.AttributeProto.AttributeType;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sparse initializers and constants are made dense as ONNX Runtime makes them, or refused with the reason. */
class SparseTensorsTest {
  @TempDir
  private Path folder;

  private static SparseTensorProto sparse(TensorProto values, TensorProto indices, long... extents) {
    var sparse = SparseTensorProto.newBuilder().setValues(values).setIndices(indices);
    for (long extent : extents) {
      sparse.addDims(extent);
    }
    return sparse.build();
  }

  private static TensorProto matrix(TensorProto list, long columns) {
    long rows = list.getDims(0) / columns;
    return list.toBuilder().clearDims().addDims(rows).addDims(columns).build();
  }

  private static NodeProto constant(String name, SparseTensorProto value) {
    return node(name + " = Constant()", AttributeProto.newBuilder().setName("sparse_value").setType(
      AttributeType.SPARSE_TENSOR).setSparseTensor(value).build());
  }

  private static ModelProto.Builder model(NodeProto... nodes) {
    return Models.model(13, new long[] {1}, nodes).toBuilder();
  }

  private static ModelProto initialized(SparseTensorProto weight, NodeProto... nodes) {
    ModelProto.Builder model = model(nodes);
    model.getGraphBuilder().addSparseInitializer(weight);
    return model.build();
  }

  private Result run(ModelProto model) {
    try (Session session = Session.of(Models.read(model, folder), SessionOptions.DEFAULT);
      Tensor x = Tensor.of(new float[] {1}, 1)) {
      return session.run(Map.of("x", x));
    }
  }

  private void assertSame(ModelProto model) throws Exception {
    TensorView wanted = Oracle
      .run(Models.save(model, folder), Map.of("x", TensorView.ofFloats(Shape.of(1), new float[] {
        1})))
      .getFirst();
    try (Result result = run(model)) {
      assertThat(result.get("y").type()).isEqualTo(wanted.type());
      assertThat(result.get("y").view().segment().mismatch(wanted.segment())).isNegative();
    }
  }

  /** Some values among zeros, with indices of both forms, as an initializer and as a constant. */
  @ParameterizedTest
  @CsvSource({"float32, 4, 5", "float64, 3, 1", "int64, 2, 7", "int32, 9, 2", "uint8, 5, 5", "bool, 3, 3",
    "float16, 2, 3", "float32, 300, 400", "int64, 100, 200", "bool, 500, 500", "float32, 1, 0"})
  void isDense(String dtype, long rows, long columns) throws Exception {
    DType type = DType.valueOf(dtype.toUpperCase(Locale.ROOT));
    var random = new SplittableRandom(rows * columns + type.ordinal());
    List<Long> places = new ArrayList<>();
    for (long place = random.nextLong(3); place < rows * columns; place += 1
      + random.nextLong(rows * columns / 3 + 1)) {
      places.add(place);
    }
    byte[] bytes = new byte[places.size() * type.bytes()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = type == DType.BOOL ? 1 : (byte) random.nextInt(1, 60);
    }
    TensorProto values = TensorProto.newBuilder().setName("w").setDataType(ElementTypes.number(type))
      .addDims(places.size())
      .setRawData(ByteString.copyFrom(bytes)).build();
    TensorProto linear = Models.longs("i", places.stream().mapToLong(it -> it).toArray());
    TensorProto pairs = matrix(Models.longs("i", places.stream().flatMap(it -> List.of(it / columns, it % columns)
      .stream()).mapToLong(it -> it).toArray()), 2);
    for (TensorProto indices : List.of(linear, pairs)) {
      SparseTensorProto weight = sparse(values, indices, rows, columns);
      NodeProto cast = node("y = Cast(w)", integer("to", 1));
      assertSame(initialized(weight, cast));
      assertSame(model(constant("w", weight), cast).build());
    }
  }

  @Test
  void nothingButZerosNeedsNoIndices() throws Exception {
    SparseTensorProto empty = SparseTensorProto.newBuilder().setValues(Models.floats("w")).addDims(2).addDims(3)
      .build();
    try (Result result = run(initialized(empty, node("y = Identity(w)")))) {
      assertThat(result.get("y").shape()).isEqualTo(Shape.of(2, 3));
      assertThat(result.get("y").toFloatArray()).containsOnly(0);
    }
  }

  @Test
  void stringsAreEmptyElsewhere() {
    TensorProto values = TensorProto.newBuilder().setName("w").setDataType(8).addDims(2).addStringData(ByteString
      .copyFromUtf8("a")).addStringData(ByteString.copyFromUtf8("b")).build();
    ModelProto.Builder model = initialized(sparse(values, Models.longs("i", 1, 3), 2, 2), node("y = Identity(w)"))
      .toBuilder();
    try (Result result = run(model.build())) {
      assertThat(StringElements.toArray(result.get("y").view())).containsExactly("", "a", "", "b");
    }
  }

  @Test
  void elementsOfFewerBitsThanAByte() {
    TensorProto values = TensorProto.newBuilder().setName("w").setDataType(ElementTypes.number(DType.UINT4)).addDims(3)
      .addInt32Data(0x75).addInt32Data(0x9).build();
    ModelProto.Builder model = initialized(sparse(values, Models.longs("i", 0, 3, 4), 5), node("y = Cast(w)", integer(
      "to", 1))).toBuilder().clearOpsetImport().addOpsetImport(Models.opset("", 21));
    try (Result result = run(model.build())) {
      assertThat(result.get("y").toFloatArray()).containsExactly(5, 0, 0, 7, 9);
    }
  }

  /** Bodies and functions have sparse tensors of their own, and read those from outside, small and large. */
  @Test
  void inBodies() throws Exception {
    for (long extent : new long[] {4, 40_000}) {
      SparseTensorProto outer = sparse(Models.floats("w", 5, 6), Models.longs("i", 1, 3), extent);
      SparseTensorProto inner = sparse(Models.floats("v", 7), Models.longs("i", 2), extent);
      GraphProto.Builder then = GraphProto.newBuilder().setName("then").addSparseInitializer(inner).addNode(node(
        "a = Add(v, w)")).addOutput(ValueInfoProto.newBuilder().setName("a"));
      GraphProto.Builder otherwise = GraphProto.newBuilder().setName("else").addNode(constant("b", inner)).addNode(node(
        "c = Sub(b, w)")).addOutput(ValueInfoProto.newBuilder().setName("c"));
      NodeProto branch = node("y = If(p)",
        AttributeProto.newBuilder().setName("then_branch").setType(AttributeType.GRAPH)
          .setG(then).build(),
        AttributeProto.newBuilder().setName("else_branch").setType(AttributeType.GRAPH).setG(
          otherwise).build());
      for (int to : new int[] {0, 2}) {
        assertSame(initialized(outer, node("z = Constant()", Models.tensor("value", Models.floats("z", to))), node(
          "p = Less(z, x)"), branch));
      }
    }
  }

  @Test
  void mayBeAnInputWithAnotherValue() {
    ModelProto.Builder model = initialized(sparse(Models.floats("w", 5), Models.longs("i", 1), 3), node(
      "y = Identity(w)")).toBuilder();
    model.getGraphBuilder().addInput(Models.value("w", DType.FLOAT32, 3));
    assertThat(OptionalInputs.names(Models.read(model.build(), folder))).containsExactly("w");
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"1 4; 2 3; a sparse tensor's index is out of range: tensor=w value=1 index=6",
    "-1 4; 2 3; value=0 index=-1", "3 1; 2 3; indices must ascend, none twice: tensor=w value=1 index=1 before=3",
    "3 3; 2 3; indices must ascend, none twice", "1; 2 3; indices are int64[2] or int64[2x2]",
    "0 1 0 3; 2 3; value=1 axis=1 index=3 extent=3", "0 1 -1 2; 2 3; value=1 axis=0 index=-1",
    "1 0 0 1; 2 3; indices must ascend", "1 1 1 1; 2 3; none twice", "1 4; ; needs an axis: tensor=w",
    "1 4; 3037000500 3037000500 8; an invalid shape: tensor=w", "1 4; -2 3; an invalid shape"})
  void faultsAreNamed(String indices, String extents, String fault) {
    long[] given = numbers(indices);
    long[] shape = extents == null ? new long[0] : numbers(extents);
    TensorProto list = Models.longs("i", given);
    // As ONNX Runtime would read an index of 6 of six elements.
    TensorProto wanted = given.length == 4 ? matrix(list, 2) : list;
    if (fault.contains("index=6")) {
      wanted = Models.longs("i", 1, 6);
    }
    ModelProto model = initialized(sparse(Models.floats("w", 1, 2), wanted, shape), node("y = Identity(w)"));
    assertThatThrownBy(() -> Models.read(model, folder)).isInstanceOf(InvalidModel.class).hasMessageContaining(fault);
  }

  private static long[] numbers(String words) {
    return Arrays.stream(words.strip().split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  @Test
  void valuesOfNoListOrNoTypeAreFaults() {
    SparseTensorProto pairs = sparse(matrix(Models.floats("w", 1, 2), 2), Models.longs("i", 0), 4);
    assertThatThrownBy(() -> Models.read(initialized(pairs, node("y = Identity(w)")), folder)).hasMessageContaining(
      "a sparse tensor's values need one axis: tensor=w");
    SparseTensorProto reals = sparse(Models.floats("w", 1), Models.floats("i", 0), 4);
    assertThatThrownBy(() -> Models.read(initialized(reals, node("y = Identity(w)")), folder)).hasMessageContaining(
      "indices are int64[1] or int64[1x1]: tensor=w indices=float32[1]");
    ModelProto.Builder both = model(constant("w", sparse(Models.floats("", 1), Models.longs("i", 0), 4)), node(
      "y = Identity(w)"));
    both.getGraphBuilder().getNodeBuilder(0).addAttribute(integer("value_int", 1));
    assertThatThrownBy(() -> Models.read(both.build(), folder)).hasMessageContaining("a constant needs one value");
    ModelProto twice = initialized(sparse(Models.floats("w", 1), Models.longs("i", 0), 4), node("y = Identity(w)"))
      .toBuilder().build();
    ModelProto.Builder doubled = twice.toBuilder();
    doubled.getGraphBuilder().addInitializer(Models.floats("w", 1));
    assertThatThrownBy(() -> Models.read(doubled.build(), folder)).hasMessageContaining("unique name: name=w");
  }

  /** A file of some bytes that asks for 4 TiB, or for as much as the limit does not have. */
  @Test
  void sizesAreRefusedByNameBeforeTheyAreAllocated() {
    for (long extent : new long[] {1L << 40, 1L << 28}) {
      ModelProto model = initialized(sparse(Models.floats("huge", 1), Models.longs("i", 5), extent), node(
        "y = Add(x, huge)"));
      var limited = SessionOptions.DEFAULT.withMemory(MemoryOptions.DEFAULT.withLimitBytes(64L << 20));
      assertThatThrownBy(() -> Session.of(Models.read(model, folder), limited).close()).isInstanceOf(OutOfMemory.class)
        .hasMessageContaining("huge");
    }
    TensorProto text = TensorProto.newBuilder().setName("words").setDataType(8).addDims(1).addStringData(ByteString
      .copyFromUtf8("a")).build();
    assertThatThrownBy(() -> Models.read(initialized(sparse(text, Models.longs("i", 5), 1L << 40), node(
      "y = Identity(words)")), folder)).isInstanceOf(InvalidModel.class).hasMessageContaining(
        "a sparse tensor of such elements is too large: tensor=words");
  }

  @Test
  void theSummaryCountsDenseBytes() {
    Path file = Models.save(initialized(sparse(Models.floats("w", 1), Models.longs("i", 0), 4, 5), node(
      "y = Identity(w)")), folder);
    assertThat(OnnxReader.summary(file).weights().bytes()).isEqualTo(80);
  }
}
