package dev.cairn.benchmarks.engine;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.trace.RunObserver;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** A planned graph whose kernels do nothing, run again and again on one stream. Closing frees what it holds. */
final class Replay implements AutoCloseable {
  private static final List<String> OPERATORS = List.of("Relu", "Abs", "Tanh", "Exp");
  private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 1);

  private final CpuDevice device = new CpuDevice(1);
  private final Arena arena = Arena.ofConfined();
  private final BfcAllocator allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT);
  private final StaticExecutor executor;
  private final List<LocatedView> inputs = List.of(LocatedView.onHost(new TensorView(TYPE, arena.allocate(TYPE
    .bytes()))));

  Replay(Graph graph) {
    // There are several kernels, as in a model: the JVM would compile a single one into the loop, without a call.
    var kernels = new KernelCatalog(List.of(row("Relu", call -> {}), row("Abs", call -> {}), row("Tanh", call -> {}),
      row("Exp", call -> {})));
    CompiledGraph compiled = new Compiler(StandardOperators.table(), kernels, device.defaultStream()).compile(graph,
      InputBinding.ofShapes(graph, Map.of()), CompileOptions.DEFAULT.withSimplify(false));
    executor = new StaticExecutor(compiled, List.of(), allocator, device);
  }

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, KernelRow.Twin.PORTABLE, KernelRow.Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32),
      kernel);
  }

  /** Each node reads the one before; operators by turns. */
  static Graph chain(int nodes) {
    var builder = new GraphBuilder("chain");
    NodeEntry last = builder.input("x", TYPE);
    for (int i = 0; i < nodes; i++) {
      last = builder.apply(OPERATORS.get(i % OPERATORS.size()), last);
    }
    builder.output("y", last);
    return builder.build();
  }

  /** Each node reads the one before, and all are the same: what ONNX Runtime is given. */
  static Graph reluChain(int nodes) {
    var builder = new GraphBuilder("chain");
    NodeEntry last = builder.input("x", TYPE);
    for (int i = 0; i < nodes; i++) {
      last = builder.apply("Relu", last);
    }
    builder.output("y", last);
    return builder.build();
  }

  /** All nodes but the first read what that writes, and each is an output. */
  static Graph independent(int nodes) {
    var builder = new GraphBuilder("independent");
    NodeEntry first = builder.apply(OPERATORS.get(0), builder.input("x", TYPE));
    for (int i = 1; i < nodes; i++) {
      builder.output("y" + i, builder.apply(OPERATORS.get(i % OPERATORS.size()), first));
    }
    return builder.build();
  }

  void run(int times) {
    for (int i = times; i > 0; i--) {
      executor.run(inputs, List.of(), RunLimit.NONE, RunObserver.NONE);
    }
  }

  @Override
  public void close() {
    executor.close();
    arena.close();
    device.close();
    allocator.close();
  }
}
