package dev.cairn.runtime.executor;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Chains of steps whose kernel does nothing, one for each stream: what is left is the executor's own doing. */
final class NoopFixture implements AutoCloseable {
  private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 1);

  private final CpuDevice device = new CpuDevice(1);
  private final Arena arena = Arena.ofShared();
  private final BfcAllocator allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT);
  private final CompiledGraph compiled;

  NoopFixture(int streams, int steps) {
    Graph graph = graph(streams, steps);
    var nothing = new KernelRow("Relu", KernelRow.Twin.PORTABLE, KernelRow.Decides.FIRST_INPUT, EnumSet.of(
      DType.FLOAT32), call -> {});
    compiled = new Compiler(StandardOperators.table(), new KernelCatalog(List.of(nothing)), device.defaultStream())
      .compile(graph, InputBinding.ofShapes(graph, Map.of()), CompileOptions.DEFAULT.withSimplify(false).withInPlace(
        false).withStreams(streams));
  }

  private static Graph graph(int chains, int steps) {
    var builder = new GraphBuilder("noop");
    NodeEntry x = builder.input("x", TYPE);
    for (int chain = 0; chain < chains; chain++) {
      NodeEntry last = x;
      for (int step = 0; step < steps / chains; step++) {
        last = builder.apply("Relu", last);
      }
      builder.output("y" + chain, last);
    }
    return builder.build();
  }

  StaticExecutor newExecutor() {
    return new StaticExecutor(compiled, List.of(), allocator, device);
  }

  List<TensorView> input() {
    return List.of(new TensorView(TYPE, arena.allocate(TYPE.bytes())));
  }

  @Override
  public void close() {
    arena.close();
    device.close();
    allocator.close();
  }
}
