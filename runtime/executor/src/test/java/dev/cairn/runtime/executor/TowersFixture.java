package dev.cairn.runtime.executor;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.trace.RunObserver;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Towers of additions over one input and the sum of their tops, compiled for as many streams as there are towers. The
 * test looks into each step and may make it fail. Closing checks that nothing is held.
 */
final class TowersFixture implements AutoCloseable {
  static final int COUNT = 64;

  private final NettySubAllocator source = new NettySubAllocator();
  private final CpuDevice device = new CpuDevice(1);
  private final Arena arena = Arena.ofShared();
  private final BfcAllocator allocator;
  private final CompiledGraph compiled;
  private final int height;
  private final int towers;
  private final ThreadLocal<Integer> present = ThreadLocal.withInitial(() -> -1);
  private final Telling listener = new Telling();
  /** Called in the kernel of each step, with its number. */
  private volatile IntConsumer inKernel = step -> {};

  /** Writes down what an executor tells, and which step a thread is in. */
  final class Telling implements RunObserver {
    final ConcurrentLinkedQueue<Integer> began = new ConcurrentLinkedQueue<>();
    final AtomicInteger underWay = new AtomicInteger();

    @Override
    public void admitted() {
      began.clear();
    }

    @Override
    public void stepBegan(int step, int stream) {
      underWay.incrementAndGet();
      began.add(step);
      present.set(step);
    }

    @Override
    public void stepEnded(int step, int stream) {
      underWay.decrementAndGet();
    }
  }

  TowersFixture(int towers, int height, long limitBytes) {
    this.height = height;
    this.towers = towers;
    allocator = new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED)
      .withLimitBytes(limitBytes));
    Graph graph = graph(towers, height);
    compiled = new Compiler(StandardOperators.table(), catalog(), device.defaultStream()).compile(graph, InputBinding
      .ofShapes(graph, Map.of()),
      CompileOptions.DEFAULT.withSimplify(false).withPlanner(PlannerChoice.NAIVE)
        .withInPlace(false).withStreams(towers));
  }

  static TowersFixture of(int towers, int height) {
    return new TowersFixture(towers, height, 1 << 20);
  }

  private static Graph graph(int towers, int height) {
    var builder = new GraphBuilder("towers");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, COUNT));
    List<NodeEntry> tops = new ArrayList<>();
    for (int tower = 0; tower < towers; tower++) {
      NodeEntry top = x;
      for (int floor = 0; floor < height; floor++) {
        NodeEntry one = builder.constant("c" + tower + "_" + floor, TensorView.ofFloats(Shape.of(1), tower + 1));
        top = builder.apply("Add", top, one);
      }
      tops.add(top);
    }
    builder.output("y", builder.apply("Sum", tops.toArray(NodeEntry[]::new)));
    return builder.build();
  }

  private KernelCatalog catalog() {
    List<KernelRow> rows = new ArrayList<>();
    KernelCatalog portable = StandardKernels.portable();
    for (String operator : List.of("Add", "Sum")) {
      portable.rows(operator).forEach(row -> rows.add(new KernelRow(operator, row.twin(), row.decides(), row.dtypes(),
        watched(row.kernel()))));
    }
    return new KernelCatalog(rows);
  }

  private Kernel watched(Kernel kernel) {
    return call -> {
      inKernel.accept(present.get());
      kernel.run(call);
    };
  }

  void inKernel(IntConsumer watcher) {
    inKernel = watcher;
  }

  CompiledGraph compiled() {
    return compiled;
  }

  Telling listener() {
    return listener;
  }

  BfcAllocator allocator() {
    return allocator;
  }

  List<TensorView> weights() {
    return compiled.storage().constants().stream().map(node -> switch (node.kind()) {
      case NodeKind.Constant(TensorView value) -> value;
      default -> throw new AssertionError(node.name());
    }).toList();
  }

  StaticExecutor newExecutor() {
    return new StaticExecutor(compiled, weights(), List.of(), allocator, RunTarget.host(device));
  }

  /** Like {@link #run(StaticExecutor, List, RunLimit)}, to its end. */
  void run(StaticExecutor executor, List<TensorView> input) {
    run(executor, input, RunLimit.NONE);
  }

  /** A run that the listener observes. */
  void run(StaticExecutor executor, List<TensorView> input, RunLimit limit) {
    executor.run(input, limit, listener);
  }

  List<TensorView> input(float value) {
    float[] values = new float[COUNT];
    Arrays.fill(values, value);
    return List.of(new TensorView(TensorType.of(DType.FLOAT32, COUNT), arena.allocateFrom(ValueLayout.JAVA_FLOAT,
      values)));
  }

  double expected(float value) {
    double sum = 0;
    for (int tower = 0; tower < towers; tower++) {
      sum += value + (double) height * (tower + 1);
    }
    return sum;
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
