package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayTensors;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.Gate;
import dev.cairn.testing.Reclaimed;
import dev.cairn.testing.Refusal;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays as inputs and results of a session: one operation on the engine. */
class SessionArraysTest {
  private static final Executor THREADS = command -> Thread.ofPlatform().start(command);
  private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 2, 2);

  private static ArrayOptions on(Kind kind) {
    return ArrayOptions.DEFAULT.withEngine(EngineOptions.DEFAULT.withKind(kind).withThreads(new EngineOptions.Threads(1,
      2, 1, 1, 3))).withThreads(1);
  }

  private static SessionOptions options() {
    return SessionOptions.DEFAULT.withThreads(1);
  }

  /** A run is refused, or gives its results: closing cuts off none that was taken. */
  @ParameterizedTest
  @EnumSource(value = Kind.class, names = "NAIVE", mode = EnumSource.Mode.EXCLUDE)
  @Tag("soak")
  void closingCutsOffNoRunThatWasTaken(Kind kind) {
    try (var arrays = ArrayRuntime.open(on(kind)); var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {1, 2, 3, 4}, 2, 2);
      for (int round = 0; round < 100; round++) {
        Session session = Session.of(products(), options());
        arrays.run(session, Map.of("x", x, "y", x)).values().forEach(NDArray::waitToRead);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(session::close, THREADS);
        boolean refused = false;
        while (!refused) {
          try {
            NDArray sum = Objects.requireNonNull(arrays.run(session, Map.of("x", x, "y", x)).get("sum"));
            assertThat(sum.toFloatArray()).containsExactly(8, 12, 18, 26);
          } catch (IllegalStateException e) {
            assertThat(e).isNotInstanceOf(OperationFailed.class);
            refused = true;
          }
        }
        closing.join();
      }
    }
  }

  /** {@code product = x·y}, {@code sum = product + x}. */
  private static Graph products() {
    var graph = new GraphBuilder("products");
    NodeEntry x = graph.input("x", TYPE);
    NodeEntry product = graph.apply("MatMul", x, graph.input("y", TYPE));
    graph.output("product", product);
    graph.output("sum", graph.apply("Add", product, x));
    return graph.build();
  }

  /** Adds to a variable, and gives the new value. */
  private static Graph counter() {
    var graph = new GraphBuilder("counter");
    NodeEntry count = graph.variable("count", TensorView.ofFloats(Shape.of(1), 0));
    NodeEntry sum = graph.apply("Add", count, graph.input("x", TensorType.of(DType.FLOAT32, 1)));
    graph.assign(count, sum);
    graph.output("sum", graph.apply("Neg", sum));
    return graph.build();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void resultsAreArraysInTheModelsOrder(Kind kind) {
    try (Session session = Session.of(products(), options());
      var arrays = ArrayRuntime.open(on(kind));
      var _ = arrays
        .scope()) {
      NDArray x = arrays.of(new float[] {1, 2, 3, 4}, 2, 2).add(1);
      Map<String, NDArray> results = arrays.run(session, Map.of("x", x, "y", x.transpose()));
      assertThat(results.keySet()).containsExactly("product", "sum");
      NDArray after = output(results, "sum").sub(output(results, "product"));
      assertThat(after.toFloatArray()).containsExactly(2, 3, 4, 5);
      assertThat(output(results, "product").toFloatArray()).containsExactly(13, 23, 23, 41);
    }
  }

  @Test
  void aRunReturnsBeforeItsInputsAreThereAndTakesNoMemoryOfTheSession() {
    var gate = new Gate();
    try (Session session = Session.of(products(), options());
      var arrays = ArrayRuntime.open(on(Kind.POOLED));
      var _ = arrays.scope()) {
      NDArray ones = arrays.ones(DType.FLOAT32, 2, 2);
      ones.waitToRead();
      long before = session.memoryStats().bytesInUse();
      NDArray late = arrays.call("late", List.of(ones), List.of(TYPE), (read, written) -> {
        gate.pass();
        written.get(0).segment().copyFrom(read.get(0).segment());
      }).get(0);
      Map<String, NDArray> results = arrays.run(session, Map.of("x", late, "y", ones));
      gate.open();
      assertThat(output(results, "product").toFloatArray()).containsExactly(2, 2, 2, 2);
      assertThat(session.memoryStats().bytesInUse()).isEqualTo(before);
    }
  }

  /** The first output is an array already when the second one is found to be none. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOutputThatIsNoArrayIsNamedAndNothingIsHeld(boolean isText) {
    var graph = new GraphBuilder("mixed");
    NodeEntry x = graph.input("x", TYPE);
    graph.output("first", graph.apply("Relu", x));
    graph.output("second", isText
      ? graph.apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text("string")), x)
      : graph.apply("SequenceConstruct", x, x));
    try (Session session = Session.of(graph.build(), options()); var arrays = ArrayRuntime.open(on(Kind.POOLED))) {
      try (NDArray ones = arrays.ones(DType.FLOAT32, 2, 2)) {
        assertThatThrownBy(() -> arrays.run(session, Map.of("x", ones))).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("an output is no array, so run the session with tensors: output=second");
      }
      arrays.waitAll();
      assertThat(arrays.stats().storages()).isZero();
    }
  }

  private static ArrayRuntime ranIn(Session session) {
    try (var arrays = ArrayRuntime.open(on(Kind.POOLED)); var _ = arrays.scope()) {
      NDArray ones = arrays.ones(DType.FLOAT32, 2, 2);
      arrays.run(session, Map.of("x", ones, "y", ones));
      return arrays;
    }
  }

  @Test
  void aSessionForgetsClosedRuntimes() throws InterruptedException {
    try (Session session = Session.of(products(), options())) {
      Reclaimed.await(() -> {
        ArrayRuntime first = ranIn(session);
        ranIn(session);
        return first;
      });
      assertThat(session.memoryStats()).isNotNull();
    }
  }

  private static NDArray output(Map<String, NDArray> results, String name) {
    return Objects.requireNonNull(results.get(name));
  }

  private static long address(NDArray array) {
    return array.read(MemorySegment::address);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void runsThatAssignGoInTheOrderOfTheirCalls(Kind kind) {
    try (Session session = Session.of(counter(), options());
      var arrays = ArrayRuntime.open(on(kind));
      var _ = arrays
        .scope()) {
      for (int i = 1; i <= 50; i++) {
        NDArray sum = output(arrays.run(session, Map.of("x", arrays.of(new float[] {1}, 1))), "sum");
        if (i % 10 == 0) {
          assertThat(sum.item()).isEqualTo(-i);
        }
      }
      arrays.waitAll();
      assertThat(session.variable("count").toFloatArray()).containsExactly(50);
    }
  }

  @Test
  void aFailedInputFailsTheResultsAndNotTheNextRun() {
    try (Session session = Session.of(counter(), options());
      var arrays = ArrayRuntime.open(on(Kind.PER_DEVICE));
      var _ = arrays.scope()) {
      NDArray broken = arrays.call("broken", List.of(), List.of(TensorType.of(DType.FLOAT32, 1)), (_, _) -> {
        throw new IllegalStateException("no such number");
      }).get(0);
      NDArray skipped = output(arrays.run(session, Map.of("x", broken)), "sum");
      assertThatThrownBy(skipped::item).isInstanceOf(OperationFailed.class).hasStackTraceContaining("no such number");
      NDArray next = output(arrays.run(session, Map.of("x", arrays.ones(DType.FLOAT32, 1))), "sum");
      assertThat(next.item()).isEqualTo(-1);
    }
  }

  @Test
  void closingASessionWaitsForItsRuns() {
    var gate = new Gate();
    try (var arrays = ArrayRuntime.open(on(Kind.POOLED)); var _ = arrays.scope()) {
      Session session = Session.of(products(), options());
      NDArray ones = arrays.ones(DType.FLOAT32, 2, 2);
      NDArray late = arrays.call("late", List.of(ones), List.of(TYPE), (read, written) -> {
        gate.pass();
        written.get(0).segment().copyFrom(read.get(0).segment());
      }).get(0);
      NDArray sum = output(arrays.run(session, Map.of("x", late, "y", ones)), "sum");
      CompletableFuture<Void> closing = CompletableFuture.runAsync(session::close, THREADS);
      Refusal.await(() -> arrays.run(session, Map.of()), "already closed: session"); // an input is missing before
      assertThat(closing).isNotDone();
      gate.open();
      closing.join();
      assertThat(sum.toFloatArray()).containsExactly(3, 3, 3, 3);
      assertThatThrownBy(() -> arrays.run(session, Map.of("x", ones, "y", ones))).isInstanceOf(
        IllegalStateException.class);
    }
  }

  @Test
  void aModelWithoutAPlanRunsAtOnce() {
    var graph = new GraphBuilder("places");
    graph.output("y", graph.apply("NonZero", graph.apply("Neg", graph.input("x", TYPE))));
    try (Session session = Session.of(graph.build(), options());
      var arrays = ArrayRuntime.open(on(Kind.POOLED));
      var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {0, 2, 0, 4}, 2, 2);
      NDArray places = output(arrays.run(session, Map.of("x", x)), "y");
      assertThat(places.toLongArray()).containsExactly(0, 1, 1, 1);
    }
  }

  @Test
  void wrongInputsAreRefusedByTheCall() {
    try (Session session = Session.of(products(), options());
      var arrays = ArrayRuntime.open(on(Kind.POOLED));
      var others = ArrayRuntime.open(on(Kind.NAIVE));
      var _ = arrays.scope();
      var _ = others.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 2, 2);
      assertThatThrownBy(() -> arrays.run(session, Map.of("x", x))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("y");
      assertThatThrownBy(() -> arrays.run(session, Map.of("x", x, "y", arrays.ones(DType.FLOAT32, 3)))).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("float32[3]");
      NDArray other = others.ones(DType.FLOAT32, 2, 2);
      assertThatThrownBy(() -> arrays.run(session, Map.of("x", x, "y", other))).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("another runtime");
    }
  }

  @Test
  void aTensorOutlivesTheArraysRuntime() {
    Tensor tensor;
    try (var arrays = ArrayRuntime.open(on(Kind.POOLED)); var _ = arrays.scope()) {
      tensor = ArrayTensors.tensor(arrays.of(new float[] {1, 2}, 2).add(1));
    }
    assertThat(tensor.toFloatArray()).containsExactly(2, 3);
    tensor.close();
  }

  /** The tensor's bytes are those of a result: when that is closed, another run writes there. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void aTensorOverAWrappedResultKeepsItWhenTheArraysRuntimeIsClosed(Kind kind) {
    try (Session session = Session.of(products(), options()); Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2)) {
      for (boolean closesArray : new boolean[] {true, false}) {
        Result result = session.run(Map.of("x", x, "y", x));
        ArrayRuntime arrays = ArrayRuntime.open(on(kind));
        NDArray array = ArrayTensors.array(arrays, result.get("sum"));
        Tensor tensor = ArrayTensors.tensor(array);
        if (closesArray) {
          array.close();
        }
        arrays.close();
        assertThatThrownBy(result::close).isInstanceOf(IllegalStateException.class).hasMessageContaining(
          "a buffer of it is not released");
        session.run(Map.of("x", x, "y", x)).close();
        assertThat(tensor.toFloatArray()).containsExactly(8, 12, 18, 26);
        tensor.close();
        result.close();
      }
    }
  }

  /** {@code y = relu(x)} for x of [batch, 2], by Cairn's own kernels. */
  private static Session openBatches(WatchedSource source) {
    var graph = new GraphBuilder("batches");
    graph.output("y", graph.apply("Relu", graph.input("x", new DeclaredType(DType.FLOAT32, List.of(
      new Dimension.Symbol("batch"), new Dimension.Fixed(2))))));
    return Session.of(graph.build(), options().withDevice(DeviceOptions.CPU.withKernels(Wanted.VECTOR)), source);
  }

  /** A plan for a new shape would use the session's backend, which is gone. */
  @Test
  void aSessionThatIsClosedTwiceStaysClosed() {
    var source = new WatchedSource();
    try (var arrays = ArrayRuntime.open(on(Kind.POOLED)); var _ = arrays.scope()) {
      Session session = openBatches(source);
      arrays.run(session, Map.of("x", arrays.ones(DType.FLOAT32, 2, 2))).values().forEach(NDArray::waitToRead);
      session.close();
      int allocations = source.allocations();
      for (int again = 0; again < 2; again++) {
        assertThatThrownBy(session::close).isInstanceOf(IllegalStateException.class).hasMessageContaining(
          "closed twice");
        for (int batch : new int[] {2, 3}) {
          NDArray x = arrays.ones(DType.FLOAT32, batch, 2);
          assertThatThrownBy(() -> arrays.run(session, Map.of("x", x))).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("already closed: session batches");
        }
      }
      assertThat(source.allocations()).isEqualTo(allocations);
      assertThat(source.heldBytes()).isZero();
    }
  }

  /** One thread is giving the session's memory back when the other one comes and waits. */
  @Test
  void aSessionThatTwoThreadsCloseStaysClosed() throws Exception {
    var releasing = new Gate();
    var source = new WatchedSource();
    try (var arrays = ArrayRuntime.open(on(Kind.POOLED)); var _ = arrays.scope()) {
      Session session = openBatches(source);
      session.run(Map.of("x", Tensor.of(new float[4], 2, 2))).close();
      source.beforeRelease(releasing::pass);
      NDArray x = arrays.ones(DType.FLOAT32, 3, 2);
      CompletableFuture<Void> first = CompletableFuture.runAsync(session::close, THREADS);
      releasing.awaitArrival();
      CompletableFuture<Void> second = CompletableFuture.runAsync(session::close, THREADS);
      while (!session.isAwaited() && !second.isDone()) {
        Thread.onSpinWait();
      }
      assertThat(second).isNotDone();
      assertThatThrownBy(() -> arrays.run(session, Map.of("x", x))).hasMessageContaining("already closed: session");
      releasing.open();
      first.get();
      assertThatThrownBy(second::join).isInstanceOf(CompletionException.class).hasMessageContaining("closed twice");
      assertThatThrownBy(() -> arrays.run(session, Map.of("x", x))).hasMessageContaining("already closed: session");
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void a13TensorsAndArraysShareBytes(Kind kind) {
    try (var arrays = ArrayRuntime.open(on(kind))) {
      Tensor tensor = Tensor.of(new float[] {1, 2, 3}, 3);
      NDArray array = ArrayTensors.array(arrays, tensor);
      assertThat(address(array)).isEqualTo(tensor.segment().address());
      assertThatThrownBy(() -> array.fill(0)).hasMessageContaining("read-only");
      assertThatThrownBy(tensor::close).hasMessageContaining("cannot be closed");
      NDArray doubled = array.add(array);
      array.close();
      Tensor back = ArrayTensors.tensor(doubled);
      assertThat(back.segment().address()).isEqualTo(address(doubled));
      arrays.waitAll();
      tensor.close();
      doubled.close();
      assertThat(back.toFloatArray()).containsExactly(2, 4, 6);
      assertThat(arrays.stats().storages()).isEqualTo(1);
      back.close();
      assertThat(arrays.stats().storages()).isZero();
    }
  }
}
