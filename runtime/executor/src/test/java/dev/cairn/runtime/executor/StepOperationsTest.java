package dev.cairn.runtime.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.testing.Gate;
import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Graphs that run node by node, with branches side by side on an engine. */
class StepOperationsTest {
  private final NettySubAllocator source = new NettySubAllocator();
  private final CpuDevice device = new CpuDevice(1);
  private final Engine engine = Engine.open(EngineOptions.DEFAULT.withKind(EngineOptions.Kind.POOLED).withThreads(
    EngineOptions.Threads.DEFAULT.withPooled(3)));
  private BfcAllocator allocator = limited(Long.MAX_VALUE);
  /** What the kernels do before they compute. */
  private volatile Runnable before = this::takeLong;
  /** What happens when the allocator refuses a request. */
  private volatile Runnable onRefusal = () -> {};
  /** By it, kernels take no time, unless they move it. */
  private final ManualClock clock = new ManualClock();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private BfcAllocator limited(long bytes) {
    return new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED).withLimitBytes(
      bytes), new AllocationListener() {
        @Override
        public void refused(OutOfMemory refusal) {
          onRefusal.run();
        }
      });
  }

  @AfterEach
  void nothingIsHeld() {
    engine.waitForAll(); // stop waits for deletes, and throws failures that no wait has thrown
    engine.close();
    assertThat(allocator.stats().liveCount()).isZero();
    allocator.close();
    device.close();
    assertThat(source.heldBytes()).isZero();
  }

  private DynamicExecutor executor(Graph graph, @Nullable Engine on, String... slow) {
    var memory = new DynamicMemory(allocator, new WeightStore(allocator));
    return new DynamicExecutor(graph, StandardOperators.table(), catalog(slow), memory, device, on,
      clock);
  }

  /** Kernels, of which these do something before they compute. */
  private KernelCatalog catalog(String... slow) {
    KernelCatalog all = StandardKernels.catalog().where(it -> it.twin() == KernelRow.Twin.PORTABLE);
    List<KernelRow> changed = List.of(slow).stream().flatMap(it -> all.rows(it).stream()).map(row -> new KernelRow(row
      .operator(), row.twin(), row.decides(), row.dtypes(), slowed(row.kernel()))).toList();
    return all.where(it -> !List.of(slow).contains(it.operator())).with(changed);
  }

  private Kernel slowed(Kernel kernel) {
    return new Kernel() {
      @Override
      public void run(KernelCall call) {
        threads.add(Thread.currentThread());
        before.run();
        kernel.run(call);
      }

      @Override
      public long workspaceBytes(KernelSignature signature) {
        return kernel.workspaceBytes(signature);
      }

      @Override
      public boolean accepts(KernelSignature signature) {
        return kernel.accepts(signature);
      }
    };
  }

  /** y = sin x + cos x. */
  private static Graph twoBranches() {
    var builder = new GraphBuilder("branches");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 3));
    builder.output("y", builder.apply("Add", builder.apply("Sin", x), builder.apply("Cos", x)));
    return builder.build();
  }

  private static TensorView x() {
    return TensorView.ofFloats(Shape.of(3), 1, 2, 3);
  }

  private void takeLong() {
    clock.advance(Duration.ofNanos(StepOperations.LEAST_GAIN_NANOS));
  }

  private static Runnable meeting(CyclicBarrier barrier) {
    return () -> {
      try {
        barrier.await();
      } catch (InterruptedException | BrokenBarrierException e) {
        throw new AssertionError("the other branch did not run", e);
      }
    };
  }

  @Test
  void branchesThatTookLongRunSideBySide() {
    try (var executor = executor(twoBranches(), engine, "Sin", "Cos")) {
      executor.run(List.of(x()), RunLimit.NONE).close();
      assertThat(threads).as("the first run measures").containsExactly(Thread.currentThread());
      before = meeting(new CyclicBarrier(2));
      try (DynamicRun run = executor.run(List.of(x()), RunLimit.NONE)) {
        assertThat((float) run.output(0).doubleAt(1)).isEqualTo((float) Math.sin(2) + (float) Math.cos(2));
      }
      threads.clear();
      before = () -> {};
      executor.run(List.of(x()), RunLimit.NONE).close();
      assertThat(threads).as("the run before took no time").containsExactly(Thread.currentThread());
    }
  }

  @Test
  void branchesRunSideBySideFromTheLeastGainOn() {
    try (var executor = executor(twoBranches(), engine, "Sin", "Cos")) {
      for (long missing = 1; missing >= 0; missing--) {
        Duration time = Duration.ofNanos(StepOperations.LEAST_GAIN_NANOS - missing);
        before = () -> clock.advance(time);
        executor.run(List.of(x()), RunLimit.NONE).close();
        assertThat(executor.operations().pay()).as("with %d ns less", missing).isEqualTo(missing == 0);
      }
    }
  }

  @Test
  void aChainAndAnEngineThatIsBusyWithThisThreadStayOnTheThread() {
    var builder = new GraphBuilder("chain");
    builder.output("y", builder.apply("Cos", builder.apply("Sin", builder.input("x", TensorType.of(DType.FLOAT32,
      3)))));
    try (var chain = executor(builder.build(), engine, "Sin", "Cos");
      var branches = executor(twoBranches(), engine, "Sin", "Cos")) {
      chain.run(List.of(x()), RunLimit.NONE).close();
      chain.run(List.of(x()), RunLimit.NONE).close();
      branches.run(List.of(x()), RunLimit.NONE).close();
      assertThat(threads).containsExactly(Thread.currentThread());
      threads.clear();
      var inside = engine.newVariable("inside");
      engine.push(Operation.of("inside", List.of(), List.of(inside), () -> branches.run(List
        .of(x()), RunLimit.NONE).close()));
      engine.waitForVariable(inside);
      assertThat(threads).as("nothing can wait inside an operation").hasSize(1);
      engine.deleteVariable(inside, () -> {});
    }
  }

  @Test
  void theEarliestFailureIsThrownWhenNothingRunsAnyMore() {
    try (var executor = executor(twoBranches(), engine, "Sin", "Cos")) {
      executor.run(List.of(x()), RunLimit.NONE).close();
      Runnable meeting = meeting(new CyclicBarrier(2));
      before = () -> {
        meeting.run();
        throw new ArithmeticException("planted");
      };
      assertThatThrownBy(() -> executor.run(List.of(x()), RunLimit.NONE)).isInstanceOfSatisfying(StepFailed.class,
        e -> assertThat(e.step()).isZero()).hasMessageContaining("planted");
      assertThat(allocator.stats().liveCount()).isZero();
      before = () -> {};
      executor.run(List.of(x()), RunLimit.NONE).close();
    }
  }

  @Test
  void aRunThatIsStoppedBetweenBranchesHoldsNothing() {
    try (var executor = executor(twoBranches(), engine, "Sin", "Cos")) {
      executor.run(List.of(x()), RunLimit.NONE).close();
      assertThatThrownBy(() -> executor.run(List.of(x()), RunLimit.from(() -> true, Long.MAX_VALUE))).isInstanceOf(
        RunStopped.class);
      assertThat(allocator.stats().liveCount()).isZero();
    }
  }

  /** y is the sum of two sums, each of 1 MB over a value of 1 MB: somewhat over 2 MB in a row, 4 MB side by side. */
  @Test
  void whereMemoryDoesNotServeBranchesSideBySideTheyRunInARow() {
    allocator.close();
    allocator = limited(7 << 19);
    var builder = new GraphBuilder("large");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 1));
    NodeEntry shape = builder.constant("shape", TensorView.ofLongs(1 << 18));
    NodeEntry left = builder.apply("ReduceMax", builder.apply("Sin", builder.apply("Expand", x, shape)));
    NodeEntry right = builder.apply("ReduceMax", builder.apply("Cos", builder.apply("Expand", x, shape)));
    builder.output("y", builder.apply("Add", left, right));
    try (var executor = executor(builder.build(), engine, "Sin", "Cos")) {
      List<TensorView> inputs = List.of(TensorView.ofFloats(Shape.of(1), 0));
      Thread here = Thread.currentThread();
      executor.run(inputs, RunLimit.NONE).close();
      for (int i = 0; i < 3; i++) {
        // One branch keeps its memory until a request of the other branch is refused.
        var gate = new Gate();
        onRefusal = gate::open;
        before = () -> {
          takeLong();
          if (!Thread.currentThread().equals(here)) {
            gate.pass();
          }
        };
        try (DynamicRun run = executor.run(inputs, RunLimit.NONE)) {
          assertThat(run.output(0).doubleAt(0)).isEqualTo(1);
        }
        assertThat(gate.isReached()).isTrue();
      }
    }
    allocator.close();
    allocator = limited(3 << 19);
    try (var executor = executor(builder.build(), engine, "Sin", "Cos")) {
      assertThatThrownBy(() -> executor.run(List.of(TensorView.ofFloats(Shape.of(1), 0)), RunLimit.NONE)).isInstanceOf(
        OutOfMemory.class);
    }
  }

  /** Values that several branches read are freed once, by the last reader. */
  @Test
  void randomGraphsGiveTheBitsOfOneThread() {
    String[] slow = StandardKernels.catalog().operators().toArray(String[]::new);
    for (int seed = 0; seed < 25; seed++) {
      Graph graph = RandomGraphs.of(seed, 8 + seed);
      List<TensorView> inputs = List.of(DynamicExecutorTest.input(seed), DynamicExecutorTest.input(seed + 5));
      try (var serial = executor(graph, null);
        var executor = executor(graph, engine, slow);
        DynamicRun wanted = serial.run(inputs, RunLimit.NONE)) {
        for (int i = 0; i < 3; i++) {
          try (DynamicRun run = executor.run(inputs, RunLimit.NONE)) {
            assertThat(DynamicExecutorTest.bytes(graph, run::output)).as("seed %d", seed).isEqualTo(DynamicExecutorTest
              .bytes(graph, wanted::output));
          }
        }
      }
      assertThat(allocator.stats().liveCount()).isZero();
    }
    assertThat(threads).contains(Thread.currentThread()).hasSizeGreaterThan(1);
  }
}
