package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.DynamicMemory;
import dev.cairn.runtime.executor.DynamicRun;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.parts.PlanRate;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Models that are planned in parts, since values decide shapes. */
class PartsTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withThreads(1);
  /** Too many for plans by value. */
  private static final int ELEMENTS = 100;
  /** The length of the rows that are chosen. */
  private static final int COLUMNS = 1024;

  private final NettySubAllocator source = new NettySubAllocator();

  @AfterEach
  void nothingIsHeld() {
    assertThat(source.heldBytes()).isZero();
  }

  /** kept = the rows of relu(x) whose sum is positive, times two, and their squares. */
  private static Graph detector() {
    var builder = new GraphBuilder("detector");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 64, 32));
    NodeEntry trunk = x;
    for (int i = 0; i < 6; i++) {
      trunk = builder.apply(i % 2 == 0 ? "Sin" : "Transpose", trunk);
    }
    NodeEntry score = builder.apply("ReduceSum", Attributes.of(Map.of("keepdims", new AttributeValue.Int(0))), x,
      builder.constant("last", TensorView
        .ofLongs(1)));
    NodeEntry chosen = builder.apply("Reshape", builder.apply("NonZero", builder.apply("Relu", score)), builder
      .constant("flat", TensorView.ofLongs(-1)));
    NodeEntry kept = builder.apply("Gather", builder.apply("Reshape", trunk, builder.constant("rows", TensorView
      .ofLongs(64, -1))), chosen);
    NodeEntry twice = builder.apply("Add", kept, kept);
    builder.output("kept", twice);
    builder.output("squares", builder.apply("ReduceSum", builder.apply("Mul", twice, twice)));
    return builder.build();
  }

  /** Rows of which the first ones are positive. */
  private static Tensor rows(int positive) {
    float[] values = new float[64 * 32];
    for (int i = 0; i < values.length; i++) {
      values[i] = i / 32 < positive ? 1 + i % 5 : -1;
    }
    return Tensor.of(values, 64, 32);
  }

  private static void runs(Session session, int positive) {
    try (Tensor x = rows(positive); Result result = session.run(Map.of("x", x))) {
      assertThat(result.get("kept").shape()).isEqualTo(Shape.of(positive, 32));
    }
  }

  @Test
  void aDetectorRunsInPlansButForTheNodeThatCounts() {
    try (var session = Session.of(detector(), OPTIONS, source)) {
      runs(session, 5);
      List<CompiledGraph> parts = session.compiledParts();
      assertThat(parts).hasSize(2).allSatisfy(it -> PlanValidator.requireValid(it.storage().problem(), it.plan()));
      assertThat(session.compiled()).isEmpty();
      assertThat(session.unplannedReason()).hasValueSatisfying(it -> assertThat(it).contains("NonZero"));
      long steps = parts.stream().mapToLong(it -> it.storage().steps().size()).sum();
      assertThat(steps).as("all but NonZero, and what passes make one step of").isGreaterThanOrEqualTo(7);
    }
  }

  @Test
  void anotherCountNeedsNoNewPlacement() {
    try (var session = Session.of(detector(), OPTIONS, source)) {
      runs(session, 40);
      List<CompiledGraph> first = session.compiledParts();
      long held = source.heldBytes();
      runs(session, 7);
      List<CompiledGraph> second = session.compiledParts();
      assertThat(second.getFirst()).isSameAs(first.getFirst());
      assertThat(second.getLast()).isNotSameAs(first.getLast());
      assertThat(second.getLast().plan().placements()).isEqualTo(first.getLast().plan().placements());
      assertThat(second.getLast().plan().pools()).isEqualTo(first.getLast().plan().pools());
      assertThat(source.heldBytes()).isEqualTo(held);
      runs(session, 40);
      assertThat(session.compiledParts()).isEqualTo(first);
    }
  }

  @Test
  void whereTypesChangeWithEachRunTheRestRunsNodeByNode() {
    try (var session = Session.of(detector(), OPTIONS, source)) {
      for (int positive = 1; positive <= PlanRate.MOST_PLANS; positive++) {
        runs(session, positive);
        assertThat(session.compiledParts()).hasSize(2);
      }
      runs(session, 60);
      assertThat(session.compiledParts()).hasSize(1);
      runs(session, 3);
      assertThat(session.compiledParts()).hasSize(1);
    }
  }

  /** Counts the positive elements of all runs; "last" and "before" keep those of the last two; old values go out. */
  private static Graph counter() {
    var builder = new GraphBuilder("counter");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, ELEMENTS));
    NodeEntry total = builder.variable("total", TensorView.ofLongs(0));
    NodeEntry last = builder.variable("last", TensorView.ofLongs(0));
    NodeEntry before = builder.variable("before", TensorView.ofLongs(0));
    NodeEntry found = builder.apply("NonZero", builder.apply("Relu", x));
    NodeEntry count = builder.apply("Slice", builder.apply("Shape", found), builder.constant("one", TensorView.ofLongs(
      1)), builder.constant("two", TensorView.ofLongs(2)));
    builder.output("old", total);
    builder.output("new", builder.assign(builder.assign(total, builder.apply("Add", total, count)), builder.apply(
      "Add", builder.apply("Add", total, count), builder.constant("zero", TensorView.ofLongs(0)))));
    builder.assign(before, last);
    builder.assign(last, count);
    builder.output("found", found);
    return builder.build();
  }

  /** A tensor that begins with {@code count} ones, then zeros. */
  private static Tensor positive(int count) {
    float[] values = new float[ELEMENTS];
    Arrays.fill(values, 0, count, 1);
    return Tensor.of(values, ELEMENTS);
  }

  @Test
  void aModelInPartsAssignsWhenItHasAllItsResults() {
    // The clock advances whenever a run checks its deadline.
    try (var session = Session.of(counter(), OPTIONS, source, new AtomicLong()::incrementAndGet)) {
      long total = 0;
      long[] counts = {0, 0};
      for (int positive : new int[] {3, 1, 4, 0, 2}) {
        try (Tensor x = positive(positive); Result result = session.run(Map.of("x", x))) {
          assertThat(result.get("old").toLongArray()).containsExactly(total);
          total += positive;
          assertThat(result.get("new").toLongArray()).containsExactly(total);
        }
        counts = new long[] {positive, counts[0]};
        assertThat(session.variable("total").toLongArray()).containsExactly(total);
        assertThat(session.variable("last").toLongArray()).containsExactly(counts[0]);
        assertThat(session.variable("before").toLongArray()).containsExactly(counts[1]);
      }
      assertThat(session.unplannedReason()).isPresent();
      try (Tensor x = positive(0)) {
        var stopped = RunOptions.DEFAULT.withDeadline(Duration.ofNanos(1));
        assertThatThrownBy(() -> session.run(Map.of("x", x), stopped)).isInstanceOf(RunStopped.class);
      }
      assertThat(session.variable("last").toLongArray()).as("a stopped run").containsExactly(counts[0]);
    }
  }

  /** The number of positive elements has another type than the variable: nothing is assigned. */
  @Test
  void aValueOfAnotherTypeIsNotAssigned() {
    var builder = new GraphBuilder("growing");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, ELEMENTS));
    NodeEntry first = builder.variable("first", TensorView.ofLongs(5));
    NodeEntry places = builder.variable("places",
      new TensorView(TensorType.of(DType.INT64, 1, 2), MemorySegment.ofArray(new long[] {7, 7})));
    builder.assign(first, builder.apply("Add", first, first));
    builder.assign(places, builder.apply("NonZero", x));
    builder.output("y", builder.apply("Neg", x));
    try (var session = Session.of(builder.build(), OPTIONS, source);
      Tensor two = positive(2);
      Tensor three = positive(3)) {
      assertThatThrownBy(() -> session.run(Map.of("x", three)))
        .isInstanceOfSatisfying(InvalidGraph.class, it -> assertThat(it
          .node()).isEqualTo("places"))
        .hasMessageContaining("int64[1x3]");
      assertThat(session.variable("first").toLongArray()).containsExactly(5);
      session.run(Map.of("x", two)).close();
      assertThat(session.unplannedReason()).isPresent();
      assertThat(session.variable("first").toLongArray()).containsExactly(10);
      assertThat(session.variable("places").toLongArray()).containsExactly(0, 1);
    }
  }

  @Test
  void everyRandomGraphGivesTheBitsOfRunningNodeByNode() {
    requireBitsOfRunningNodeByNode(24);
  }

  @Test
  @Tag("long")
  void manyRandomGraphsGiveTheBitsOfRunningNodeByNode() {
    requireBitsOfRunningNodeByNode(120);
  }

  private void requireBitsOfRunningNodeByNode(int graphs) {
    int planned = 0;
    for (int seed = 0; seed < graphs; seed++) {
      Graph graph = new RandomValueShapes(seed, 3 + seed % 12).graph();
      var random = new SplittableRandom(seed);
      try (var reference = new Reference(graph); var session = Session.of(graph, OPTIONS, source)) {
        for (int run = 0; run < 3; run++) {
          Map<String, Tensor> inputs = Map.of("x", list(random), "y", list(random));
          try (Result result = session.run(inputs); DynamicRun wanted = reference.run(inputs)) {
            for (int i = 0; i < graph.outputs().size(); i++) {
              TensorView given = result.get(graph.outputs().get(i).name()).view();
              assertThat(given.type()).as("seed=%d output=%d", seed, i).isEqualTo(wanted.output(i).type());
              assertThat(given.segment().toArray(ValueLayout.JAVA_BYTE)).as("seed=%d output=%d", seed, i).isEqualTo(
                wanted.output(i).segment().toArray(ValueLayout.JAVA_BYTE));
            }
          }
          inputs.values().forEach(Tensor::close);
        }
        planned += session.unplannedReason().isPresent() ? session.compiledParts().size() : 0;
      }
    }
    assertThat(planned).isGreaterThan(graphs * 5 / 6);
  }

  /** The sum of a few functions of the rows that are positive: their number decides what the second part takes. */
  private static Graph chosenRows() {
    var builder = new GraphBuilder("rows");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 64, COLUMNS));
    NodeEntry score = builder.apply("ReduceMax", Attributes.of(Map.of("keepdims", new AttributeValue.Int(0))), x,
      builder.constant("last", TensorView.ofLongs(1)));
    NodeEntry chosen = builder.apply("Reshape", builder.apply("NonZero", builder.apply("Relu", score)), builder
      .constant("flat", TensorView.ofLongs(-1)));
    NodeEntry kept = builder.apply("Gather", x, chosen);
    for (int i = 0; i < 4; i++) {
      kept = builder.apply("Transpose", builder.apply("Sin", kept));
    }
    builder.output("sum", builder.apply("ReduceSum", kept));
    return builder.build();
  }

  private boolean suffices(long limit, int positive) {
    float[] values = new float[64 * COLUMNS];
    Arrays.fill(values, 0, positive * COLUMNS, 1);
    try (var session = Session.of(chosenRows(), OPTIONS.withMemoryLimitBytes(limit), source);
      Tensor x = Tensor.of(values, 64, COLUMNS)) {
      for (int run = 0; run < 2; run++) {
        session.run(Map.of("x", x)).close();
      }
      return session.compiledParts().size() == 2;
    } catch (OutOfMemory e) {
      return false;
    }
  }

  private long leastLimit(int positive) {
    long refused = 0;
    long enough = 4096 * COLUMNS;
    while (enough - refused > 8 * COLUMNS) {
      long middle = (refused + enough) / 2;
      if (suffices(middle, positive)) {
        enough = middle;
      } else {
        refused = middle;
      }
    }
    return enough;
  }

  /** Plans for the largest types take more than the run, and go where the limit is for the run alone. */
  @Test
  void aRunThatFitsIsNotRefusedForLargerOnes() {
    long ofFew = leastLimit(20);
    assertThat(ofFew).isLessThan(leastLimit(64) - (64 - 20) * COLUMNS * Float.BYTES);
    for (long limit = ofFew; limit < 1024 * COLUMNS; limit += 150 * COLUMNS) {
      assertThat(suffices(limit, 20)).as("limit=%d", limit).isTrue();
    }
  }

  /** All runs have begun their first step before any ends: each keeps its part's plan, however many there are. */
  @Test
  void moreOverlappingTypesThanPlansAreKeptAllRun() throws Exception {
    int runs = 40;
    var builder = new GraphBuilder("list");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("length"))));
    builder.output("found", builder.apply("NonZero", builder.apply("Sin", builder.apply("Relu", x))));
    var begun = new CountDownLatch(runs);
    RunObserver.Source waiting = _ -> new RunObserver() {
      private boolean isLater;

      @Override
      public void stepBegan(int step, int stream) {
        if (!isLater) {
          isLater = true;
          begun.countDown();
          awaitAll(begun);
        }
      }
    };
    SessionOptions options = OPTIONS.withObservers(waiting).withMaxConcurrentRuns(runs);
    try (var session = Session.of(builder.build(), options, source);
      var threads = Executors.newFixedThreadPool(runs)) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int run = 0; run < runs; run++) {
        float[] values = new float[ELEMENTS + run];
        Arrays.fill(values, 0, run, 1);
        tasks.add(() -> {
          try (Tensor given = Tensor.of(values, values.length); Result result = session.run(Map.of("x", given))) {
            return result.get("found").shape().extent(1);
          }
        });
      }
      List<Future<Long>> found = threads.invokeAll(tasks);
      for (int run = 0; run < runs; run++) {
        assertThat(found.get(run).get()).isEqualTo(run);
      }
    }
  }

  private static void awaitAll(CountDownLatch begun) {
    try {
      begun.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Tensor list(SplittableRandom random) {
    float[] values = new float[17 + random.nextInt(6)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(-3, 4);
    }
    return Tensor.of(values, values.length);
  }

  /** A graph node by node. */
  private static final class Reference implements AutoCloseable {
    private final CpuDevice device = new CpuDevice(1);
    private final BfcAllocator allocator = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT);
    private final DynamicExecutor executor;
    private final Graph graph;

    Reference(Graph graph) {
      this.graph = graph;
      executor = new DynamicExecutor(graph, StandardOperators.table(), StandardKernels.catalog(), new DynamicMemory(
        allocator, new WeightStore(allocator)), device, null);
    }

    DynamicRun run(Map<String, Tensor> inputs) {
      return executor.run(
        graph.inputs().stream().map(it -> Objects.requireNonNull(inputs.get(it.name())).view()).toList(),
        RunLimit.NONE);
    }

    @Override
    public void close() {
      executor.close();
      allocator.close();
      device.close();
    }
  }
}
