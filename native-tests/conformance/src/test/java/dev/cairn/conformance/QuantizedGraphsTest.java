package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.pass.quantize.QuantizedPasses;
import dev.cairn.runtime.session.ModelFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operators between quantised tensors, as exporters write them, run as one node. ONNX Runtime is asked twice: with each
 * operator as it is written, and with its own fusions.
 */
class QuantizedGraphsTest {
  private static final int CASES = 12;
  private static final int SOAK_CASES = 500;
  private static final PlannedRun.Setting FUSED = PlannedRun.Setting.of(PlannerChoice.BEST_FIT, true);
  private static final PlannedRun.Setting WRITTEN = new PlannedRun.Setting("unfused", StandardKernels.portable(),
    CompileOptions.DEFAULT.withQuantized(QuantizedPasses.NONE));
  private static final PlannedRun.Setting PORTABLE = new PlannedRun.Setting("portable, fused", StandardKernels
    .portable(), CompileOptions.DEFAULT);

  @TempDir
  private Path folder;
  private SplittableRandom random = new SplittableRandom(0);

  @ParameterizedTest
  @ValueSource(strings = {"Add", "Mul", "AveragePool", "GlobalAveragePool", "Softmax"})
  void equalsOnnxRuntime(String operator) throws IOException, OrtException {
    compare(operator, CASES);
  }

  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = {"Add", "Mul", "AveragePool", "GlobalAveragePool", "Softmax"})
  void equalsOnnxRuntimeOften(String operator) throws IOException, OrtException {
    compare(operator, SOAK_CASES);
  }

  private void compare(String operator, int cases) throws IOException, OrtException {
    long elements = 0;
    long different = 0;
    for (int seed = 0; seed < cases; seed++) {
      random = new SplittableRandom(seed * 31L + operator.hashCode());
      Shape shape = shape(operator);
      boolean isBinary = operator.equals("Add") || operator.equals("Mul");
      Shape other = isBinary ? stretching(shape) : Shape.SCALAR;
      Graph graph = graph(operator, shape, other, isBinary);
      Map<String, TensorView> inputs = isBinary
        ? Map.of("a", floats(shape), "b", floats(other))
        : Map.of("a", floats(shape));
      different += difference(operator, graph, inputs, isBinary);
      elements += shape.elementCount();
    }
    assertTrue(different <= elements / 1000, "different=%d of=%d".formatted(different, elements));
  }

  /** How many elements differ, all by one unit. */
  private long difference(String operator, Graph graph, Map<String, TensorView> inputs, boolean isExact)
    throws IOException, OrtException {
    Path file = folder.resolve("model.onnx");
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    Graph read = ModelFiles.read(file);
    try (var runner = new PlannedRun(); Oracle plain = Oracle.openAsWritten(file); Oracle fast = Oracle.open(file)) {
      CompiledGraph compiled = runner.compile(read, inputs, FUSED);
      assertEquals(1, compiled.storage().steps().stream().filter(it -> it.operator().equals("QLinear" + operator))
        .count(), () -> "not fused: " + compiled.graph().graph());
      TensorView fused = runner.run(compiled, inputs).getFirst();
      assertEquals(0, apart(runner.run(runner.compile(read, inputs, PORTABLE), inputs).getFirst(), fused, 0));
      TensorView wanted = plain.run(inputs).values().iterator().next();
      TensorView written = runner.run(runner.compile(read, inputs, WRITTEN), inputs).getFirst();
      if (!operator.equals("Softmax")) { // where a softmax saturates, ONNX Runtime's own quantised one wraps
        apart(fast.run(inputs).values().iterator().next(), fused, 1);
      }
      apart(written, fused, isExact ? 0 : 1);
      return apart(wanted, fused, isExact ? 0 : 1);
    }
  }

  private static long apart(TensorView wanted, TensorView given, int most) {
    assertEquals(wanted.type(), given.type());
    long count = 0;
    for (long i = 0; i < wanted.elementCount(); i++) {
      long distance = Math.abs(wanted.longAt(i) - given.longAt(i));
      long at = i;
      assertTrue(distance <= most, () -> "element %d of %s: %d instead of %d".formatted(at, given.type(), given.longAt(
        at), wanted.longAt(at)));
      count += distance == 0 ? 0 : 1;
    }
    return count;
  }

  private Shape shape(String operator) {
    int rank = operator.endsWith("Pool") ? 4 : random.nextInt(1, 5);
    long[] extents = new long[rank];
    for (int i = 0; i < rank; i++) {
      extents[i] = random.nextInt(1, i < 2 && rank > 2 ? 4 : 40);
    }
    return Shape.of(extents);
  }

  private Shape stretching(Shape target) {
    long[] extents = new long[target.rank() - random.nextInt(target.rank())];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = random.nextInt(3) == 0 ? 1 : target.extent(i + target.rank() - extents.length);
    }
    return Shape.of(extents);
  }

  private TensorView floats(Shape shape) {
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-4, 4);
    }
    return TensorView.ofFloats(shape, values);
  }

  /** Real inputs are quantised, since a model seldom has quantised ones. */
  private Graph graph(String operator, Shape shape, Shape other, boolean isBinary) {
    GraphBuilder model = new GraphBuilder("quantized");
    NodeEntry a = dequantized(model, "a", shape);
    Attributes attributes = Attributes.NONE;
    if (operator.equals("AveragePool")) {
      attributes = attributes.with("kernel_shape", AttributeValue.Ints.of(Math.min(3, shape.extent(2)), Math.min(2,
        shape.extent(3)))).with("strides", AttributeValue.Ints.of(2, 1)).with("count_include_pad", random.nextInt(2));
    }
    NodeEntry real = isBinary
      ? model.apply(operator, a, dequantized(model, "b", other))
      : model.apply(operator, attributes, a);
    double unit = operator.equals("Softmax") ? 1.0 / 256 : random.nextDouble(0.01, 0.1);
    NodeEntry zero = zero(model, "yz", random.nextBoolean() ? DType.INT8 : DType.UINT8);
    model.output("y", model.apply("QuantizeLinear", real, single(model, "ys", unit), zero));
    return model.build();
  }

  private NodeEntry dequantized(GraphBuilder model, String name, Shape shape) {
    NodeEntry scale = single(model, name + "s", random.nextDouble(0.01, 0.05));
    NodeEntry zero = zero(model, name + "z", random.nextBoolean() ? DType.INT8 : DType.UINT8);
    NodeEntry input = model.input(name, new TensorType(DType.FLOAT32, shape));
    return model.apply("DequantizeLinear", model.apply("QuantizeLinear", input, scale, zero), scale, zero);
  }

  private static NodeEntry single(GraphBuilder model, String name, double value) {
    return model.constant(name, TensorView.ofFloats(Shape.SCALAR, (float) value));
  }

  private NodeEntry zero(GraphBuilder model, String name, DType dtype) {
    byte[] value = {(byte) random.nextInt(256)};
    return model.constant(name, new TensorView(new TensorType(dtype, Shape.SCALAR), MemorySegment.ofArray(value)));
  }
}
