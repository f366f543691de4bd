package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * y = tanh(x) + relu(x) for 1,000 numbers x, compiled as it is written into two pools of 4,096 bytes each; and what is
 * needed to run it. Closing checks that nothing is held.
 */
final class CompiledFixture implements AutoCloseable {
  static final int COUNT = 1000;
  static final long POOL_BYTES = 4096;

  private final NettySubAllocator source = new NettySubAllocator();
  private final CpuDevice device = new CpuDevice(1);
  private final Arena arena = Arena.ofShared();
  private final BfcAllocator allocator;
  private final CompiledGraph compiled;

  CompiledFixture(long limitBytes) {
    allocator = new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED)
      .withLimitBytes(limitBytes));
    var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
    Graph graph = graph();
    compiled = compiler.compile(graph, InputBinding.ofShapes(graph, Map.of()), CompileOptions.DEFAULT.withPlanner(
      PlannerChoice.REUSE).withSimplify(false));
  }

  private static Graph graph() {
    var builder = new GraphBuilder("sum");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, COUNT));
    builder.output("y", builder.apply("Add", builder.apply("Tanh", x), builder.apply("Relu", x)));
    return builder.build();
  }

  Allocator allocator() {
    return allocator;
  }

  CompiledGraph compiled() {
    return compiled;
  }

  StaticExecutor newExecutor() {
    return new StaticExecutor(compiled, List.of(), allocator, device);
  }

  TensorView input(float value) {
    float[] values = new float[COUNT];
    Arrays.fill(values, value);
    return new TensorView(TensorType.of(DType.FLOAT32, COUNT), arena.allocateFrom(ValueLayout.JAVA_FLOAT, values));
  }

  static double expected(float value) {
    return Math.tanh(value) + Math.max(0, value);
  }

  @Override
  public void close() {
    arena.close();
    device.close();
    allocator.validate();
    allocator.close();
    if (source.heldBytes() != 0) {
      throw new AssertionError("memory is still held: bytes=" + source.heldBytes());
    }
  }
}
