package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.onnx.OnnxReader;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.OperatorCases;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** I-6: each operator that has a kernel, called on arrays with the inputs of ONNX's cases, gives a session's bits. */
class ArrayCasesTest {
  private static final DeviceOptions PORTABLE = DeviceOptions.CPU.withKernels(ProcessorKernels.Wanted.PORTABLE);
  private static final SessionOptions AS_WRITTEN = SessionOptions.DEFAULT.withDevice(PORTABLE).withCompile(
    CompileOptions.DEFAULT.withSimplify(false));
  private static final OperatorTable OPERATORS = StandardOperators.table();

  @TempDir
  private Path folder;

  private final SortedSet<String> called = new TreeSet<>();
  private final List<String> failures = new ArrayList<>();
  private int compared;

  @Test
  void callsOnArraysGiveTheBitsOfASession() throws IOException {
    List<NodeCase> cases = NodeCaseArchive.read(SharedData.require("onnx-node/onnx-node-v1.22.0.tar.gz"));
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withDevice(PORTABLE))) {
      for (NodeCase one : cases) {
        if (!one.isExpanded()) {
          compare(arrays, one);
        }
      }
      compareOperatorsWithoutCases(arrays);
      compareUses(arrays);
      assertThat(failures).isEmpty();
      assertThat(compared).isGreaterThan(1000);
      assertThat(arrays.stats().storages()).isZero();
    }
    // Arrays have no strings.
    assertThat(uncalled()).allSatisfy(it -> assertThat(StandardKernels.portable().dtypes(it)).as(it).containsOnly(
      DType.STRING));
  }

  private SortedSet<String> uncalled() {
    SortedSet<String> without = new TreeSet<>(OPERATORS.names());
    without.retainAll(StandardKernels.portable().operators());
    without.removeAll(called);
    return without;
  }

  /** Compares uses of the operators that ONNX has no cases of: the uses in the tests of their type rules. */
  private void compareUses(ArrayRuntime arrays) {
    for (String operator : uncalled()) {
      for (Graph use : OperatorCases.accepted(operator)) {
        List<TensorType> types = use.inputs().stream().map(it -> ((NodeKind.Input) it.kind()).type().known()
          .orElseThrow()).toList();
        if (types.stream().noneMatch(it -> it.dtype() == DType.STRING)) {
          compareUse(arrays, operator, use, types.stream().map(ArrayCasesTest::numbers).toList());
        }
      }
    }
  }

  private void compareUse(ArrayRuntime arrays, String operator, Graph use, List<TensorView> inputs) {
    List<TensorView> wanted;
    try {
      wanted = run(use, inputs);
    } catch (RuntimeException e) {
      // No kernel of these types, or none that takes these values.
      return;
    }
    if (wanted.stream().noneMatch(it -> it.dtype() == DType.STRING)) {
      compare(arrays, operator, use, inputs, wanted);
    }
  }

  /** Operators that ONNX has no readable case of. */
  private void compareOperatorsWithoutCases(ArrayRuntime arrays) {
    TensorView x = numbers(DType.FLOAT32, 1, 2, 4, 4);
    compare(arrays, "GlobalLpPool", Attributes.NONE.with("p", new AttributeValue.Int(3)), x);
    compare(arrays, "MaxRoiPool", Attributes.NONE.with("pooled_shape", AttributeValue.Ints.of(2, 2)), x,
      TensorView.ofFloats(Shape.of(1, 5), 0, 0, 0, 3, 2));
    compare(arrays, "MatMulIntegerToFloat", Attributes.NONE, numbers(DType.UINT8, 2, 3), numbers(DType.INT8, 3, 4),
      numbers(DType.FLOAT32, 1), numbers(DType.FLOAT32, 4));
    compare(arrays, "LabelEncoder", Attributes.NONE.with("keys_int64s", AttributeValue.Ints.of(1, 2)).with(
      "values_int64s", AttributeValue.Ints.of(5, 6)), TensorView.ofLongs(2, 1, 7));
    compare(arrays, "KeyMask", Attributes.NONE, TensorView.ofLongs(3, 5), TensorView.ofLongs(2, 3, 5));
    compare(arrays, "MatMulNBits", Attributes.NONE.with("K", new AttributeValue.Int(32)).with("N",
      new AttributeValue.Int(2)).with("bits", new AttributeValue.Int(4)).with("block_size", new AttributeValue.Int(32)),
      numbers(DType.FLOAT32, 3, 32), numbers(DType.UINT8, 2, 1, 16), numbers(DType.FLOAT32, 2));
    Attributes drawn = Attributes.NONE.with("seed", new AttributeValue.Real(7));
    compare(arrays, "Multinomial", drawn.with("sample_size", new AttributeValue.Int(9)), numbers(DType.FLOAT32, 2, 5));
    compare(arrays, "RandomNormalLike", drawn, x);
    compare(arrays, "StopGradient", Attributes.NONE, x);
    compare(arrays, "ScatterAdd", Attributes.NONE.with("of", new AttributeValue.Text("Gather")).with("shape",
      AttributeValue.Ints.of(5, 4)), numbers(DType.FLOAT32, 3, 4), TensorView.ofLongs(4, 0, 4));
    Attributes shaped = drawn.with("shape", AttributeValue.Ints.of(3, 5));
    compare(arrays, "RandomNormal", shaped);
    compare(arrays, "RandomUniform", shaped.with("dtype", new AttributeValue.Text("float64")));
  }

  private static TensorView numbers(DType dtype, long... shape) {
    return numbers(TensorType.of(dtype, shape));
  }

  /** Zeros, if the type is neither {@code float32} nor of bytes. */
  private static TensorView numbers(TensorType type) {
    TensorView view = HeapTensor.allocate(type);
    for (long i = 0; i < view.elementCount(); i++) {
      switch (type.dtype()) {
        case FLOAT32 -> view.segment().set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * Float.BYTES, (float) Math.sin(1.0
          + (int) i));
        case INT8, UINT8 -> view.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (7 * i));
        default -> {}
      }
    }
    return view;
  }

  private void compare(ArrayRuntime arrays, String operator, Attributes attributes, TensorView... operands) {
    var graph = new GraphBuilder(operator);
    var entries = new NodeEntry[operands.length];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = graph.input("x" + i, operands[i].type());
    }
    graph.output("y", graph.apply(operator, attributes, entries));
    Graph built = graph.build();
    compare(arrays, operator, built, List.of(operands), run(built, List.of(operands)));
  }

  private void compare(ArrayRuntime arrays, NodeCase one) throws IOException {
    Graph graph;
    List<TensorView> inputs;
    List<TensorView> wanted;
    try {
      graph = OnnxReader.read(one.model(folder), OPERATORS);
      inputs = one.tensors(folder);
      wanted = run(graph, inputs);
    } catch (RuntimeException e) {
      // Cairn does not claim to run this case: NodeCasesTest judges that.
      return;
    }
    if (!graph.nodes().stream().allMatch(ArrayCasesTest::isCallable) || Stream.of(inputs, wanted).flatMap(List::stream)
      .anyMatch(it -> it.dtype() == DType.STRING)) {
      return;
    }
    compare(arrays, one.name(), graph, inputs, wanted);
  }

  private void compare(ArrayRuntime arrays, String name, Graph graph, List<TensorView> inputs,
    List<TensorView> wanted) {
    try (var _ = arrays.scope()) {
      List<NDArray> given = called(arrays, graph, inputs);
      compared++;
      for (int i = 0; i < wanted.size(); i++) {
        if (!isSame(wanted.get(i), given.get(i).toHost())) {
          failures.add("%s: output %d of %s".formatted(name, i, given.get(i)));
        }
      }
    } catch (RuntimeException e) {
      failures.add(name + ": " + e);
    }
  }

  /** Control flow, and operators of sequences and optionals, which are not in the table, belong to graphs. */
  private static boolean isCallable(Node node) {
    return switch (node.kind()) {
      case NodeKind.Input _,NodeKind.Constant _ -> true;
      case NodeKind.Apply apply -> OPERATORS.find(apply.operator()).isPresent();
      default -> false;
    };
  }

  private static List<TensorView> run(Graph graph, List<TensorView> inputs) {
    Map<String, Tensor> given = new LinkedHashMap<>();
    for (int i = 0; i < graph.inputs().size(); i++) {
      given.put(graph.inputs().get(i).name(), Tensor.copyOf(inputs.get(i)));
    }
    try (Session session = Session.of(graph, AS_WRITTEN); Result result = session.run(given)) {
      return graph.outputs().stream().map(output -> Tensor.copyOf(result.get(output.name()).view()).view()).toList();
    }
  }

  /** The graph's outputs, computed on arrays one call after the other. */
  private List<NDArray> called(ArrayRuntime arrays, Graph graph, List<TensorView> inputs) {
    Map<NodeEntry, NDArray> values = new HashMap<>();
    for (int i = 0; i < graph.inputs().size(); i++) {
      values.put(graph.inputs().get(i).entry(), arrays.copyOf(inputs.get(i)));
    }
    for (Node node : graph.nodes()) {
      switch (node.kind()) {
        case NodeKind.Constant(TensorView value) -> values.put(node.entry(), arrays.copyOf(value));
        case NodeKind.Apply apply -> {
          List<@Nullable NDArray> operands = new ArrayList<>();
          node.inputs().forEach(it -> operands.add(it.isAbsent() ? null : values.get(it)));
          List<NDArray> results = arrays.apply(apply.operator(), apply.attributes(), apply.outputs(), operands);
          for (int i = 0; i < results.size(); i++) {
            values.put(node.entry(i), results.get(i));
          }
          called.add(apply.operator());
        }
        default -> {
          // Inputs are there.
        }
      }
    }
    return graph.outputs().stream().map(output -> values.get(output.entry())).toList();
  }

  private static boolean isSame(TensorView wanted, TensorView given) {
    if (!wanted.type().equals(given.type())) {
      return false;
    }
    if (wanted.segment().mismatch(given.segment()) == -1) {
      return true;
    }
    for (long i = 0; i < wanted.elementCount(); i++) {
      double a = wanted.doubleAt(i);
      double b = given.doubleAt(i);
      if (Double.doubleToLongBits(a) != Double.doubleToLongBits(b)) {
        return false;
      }
    }
    return true;
  }
}
