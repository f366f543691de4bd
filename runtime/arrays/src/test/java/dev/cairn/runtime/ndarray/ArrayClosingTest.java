package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.cached.CachedOp;
import dev.cairn.runtime.cached.CachedOpOptions;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.storage.ArrayStorage;
import dev.cairn.runtime.ndarray.storage.Hold;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.testing.Gate;
import dev.cairn.testing.Refusal;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * where other threads close arrays, sessions and the runtime meanwhile: a call runs, or throws at once an
 * error that names what is closed. Nothing fails later, and all memory goes back. The naive engine is for one thread.
 */
class ArrayClosingTest {
  private static final int ROUNDS = 300;
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);
  private static final String ARRAY_CLOSED = "array is closed: operation=";
  private static final String RUNTIME_CLOSED = "the runtime of these arrays is closed: operation=";
  private static final String SESSION_CLOSED = "already closed: session";

  /** What threads have seen that must not be. */
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();

  private Thread start(Runnable work) {
    return Thread.ofPlatform().start(() -> {
      try {
        work.run();
      } catch (Throwable e) {
        wrong.compareAndSet(null, e);
      }
    });
  }

  private void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong.get()).isNull();
  }

  private void join(Thread... threads) throws InterruptedException {
    join(List.of(threads));
  }

  /** Runs the work; returns whether it was refused, by an error that begins as said. */
  private static boolean isRefused(Runnable work, String... begins) {
    try {
      work.run();
      return false;
    } catch (IllegalStateException e) {
      assertThat(Stream.of(begins).anyMatch(String.valueOf(e.getMessage())::startsWith)).as("%s", e).isTrue();
      return true;
    }
  }

  private static void assertNothingIsLeft(ArrayRuntime arrays) {
    assertThat(arrays.stats().storages()).isZero();
    assertThat(arrays.stats().memory().bytesInUse()).isZero();
  }

  private static ArrayRuntime open(EngineOptions.Kind kind) {
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind).withThreads(1));
  }

  /** With an operator {@code t::Twice}. Its calls pass the gate after they have checked that all is open. */
  private static ArrayRuntime open(EngineOptions.Kind kind, Gate gate) {
    KernelOperator twice = KernelOperator.of("t::Twice", 1, context -> {
      gate.pass();
      return List.of(context.input(0));
    }).withKernel(call -> {
      for (long i = 0; i < call.output(0).elementCount(); i++) {
        call.output(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, 2 * (float) call.input(0).doubleAt(i));
      }
    });
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind).withThreads(1).withOperators(OperatorRegistry.of(
      twice)));
  }

  private static void twice(NDArray x) {
    x.call("t::Twice", Attributes.NONE).close();
  }

  /** An array that has its values when the gate is open. */
  private static NDArray late(ArrayRuntime arrays, Gate gate, NDArray x) {
    return arrays.call("late", List.of(x), List.of(x.type()), (read, written) -> {
      gate.pass();
      written.get(0).segment().copyFrom(read.get(0).segment());
    }).get(0);
  }

  /** The call has found everything open; its result is made, and its operation refused, after all that. */
  @ParameterizedTest
  @CsvSource({"PER_DEVICE,false", "PER_DEVICE,true", "POOLED,false", "POOLED,true"})
  void aCallThatBeganIsRefusedWhenTheRuntimeIsClosed(EngineOptions.Kind kind, boolean bulk)
    throws InterruptedException {
    var gate = new Gate();
    ArrayRuntime arrays = open(kind, gate);
    NDArray x = arrays.ones(DType.FLOAT32, 4);
    Thread caller = start(() -> assertThat(isRefused(() -> {
      if (bulk) {
        try (var _ = arrays.bulk(3)) {
          twice(x);
        }
      } else {
        twice(x);
      }
    }, RUNTIME_CLOSED)).isTrue());
    gate.awaitArrival();
    arrays.close();
    gate.open();
    join(caller);
    assertNothingIsLeft(arrays);
  }

  /** One result of the call is there when the runtime closes, and the other one is made afterwards. */
  @ParameterizedTest
  @EnumSource(EngineOptions.Kind.class)
  void resultsOfARefusedCallAreGivenBack(EngineOptions.Kind kind) {
    ArrayRuntime arrays = open(kind);
    var types = new AbstractList<TensorType>() {
      @Override
      public TensorType get(int index) {
        if (index == 1) {
          assertThat(arrays.stats().storages() + (arrays.engine().isClosed() ? 1 : 0)).isEqualTo(1);
          arrays.close();
        }
        return FOUR;
      }

      @Override
      public int size() {
        return 2;
      }
    };
    assertThat(isRefused(() -> arrays.call("two", List.of(), types, (_, _) -> {}), RUNTIME_CLOSED)).isTrue();
    assertNothingIsLeft(arrays);
  }

  /** The runtime closes after the call has checked that it is open. */
  @ParameterizedTest
  @EnumSource(EngineOptions.Kind.class)
  void memoryThatIsWrappedAsTheRuntimeClosesIsReleasedWithItsArray(EngineOptions.Kind kind) {
    ArrayRuntime arrays = open(kind);
    var released = new AtomicInteger();
    try (var arena = Arena.ofShared()) {
      arrays.close();
      Hold array = arrays.invoker().live().wrapped(arena.allocate(16, 8), FOUR, ArrayStorage.Access.READ,
        released::incrementAndGet);
      assertThat(released).hasValue(0);
      array.close();
      assertThat(released).hasValue(1);
      array.close();
      assertThat(released).hasValue(1);
      assertNothingIsLeft(arrays);
    }
  }

  /** A thread closes the array and is giving its memory back when another one closes the runtime. */
  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  void wrappedMemoryIsReleasedOnceAndBeforeTheRuntimeIsClosed(EngineOptions.Kind kind) throws InterruptedException {
    var gate = new Gate();
    var closed = new AtomicBoolean();
    var released = new AtomicInteger();
    ArrayRuntime arrays = open(kind);
    try (var arena = Arena.ofShared()) {
      NDArray wrapped = arrays.wrapReadOnly(new TensorView(FOUR, arena.allocate(16, 8)), () -> {
        gate.pass();
        assertThat(closed).isFalse();
        released.incrementAndGet();
      });
      Thread closesArray = start(wrapped::close);
      gate.awaitArrival();
      Thread closesRuntime = start(() -> {
        arrays.close();
        closed.set(true);
      });
      Refusal.await(() -> arrays.scope().close(), RUNTIME_CLOSED);
      gate.open();
      join(closesArray, closesRuntime);
      assertThat(released).hasValue(1);
      assertNothingIsLeft(arrays);
    }
  }

  /** A caller's function that reads the bytes of an array, and operations that have begun, end before the runtime. */
  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  void aRuntimeClosesAfterThoseThatUseItsMemory(EngineOptions.Kind kind) throws InterruptedException {
    var reading = new Gate();
    var computing = new Gate();
    var closed = new AtomicBoolean();
    ArrayRuntime arrays = open(kind);
    NDArray x = arrays.of(new float[] {1, 2, 3, 4}, 4);
    Thread reader = start(() -> x.read(bytes -> {
      reading.pass();
      assertThat(closed).isFalse();
      return assertThat(bytes.get(ValueLayout.JAVA_FLOAT, 12)).isEqualTo(4);
    }));
    reading.awaitArrival();
    NDArray y = late(arrays, computing, arrays.ones(DType.FLOAT32, 4));
    computing.awaitArrival();
    // Waits for the operation, and then the runtime is closed.
    Thread waiting = start(() -> assertThat(isRefused(() -> y.hold().close(), RUNTIME_CLOSED)).isTrue());
    Thread closer = start(() -> {
      arrays.close();
      closed.set(true);
    });
    Refusal.await(() -> arrays.scope().close(), RUNTIME_CLOSED);
    reading.open();
    reader.join();
    computing.open();
    join(reader, waiting, closer);
    assertNothingIsLeft(arrays);
  }

  /** The call has found the array open; other calls of its bulk run all the same. */
  @ParameterizedTest
  @CsvSource({"PER_DEVICE,0", "PER_DEVICE,4", "POOLED,0", "POOLED,4"})
  void aCallIsRefusedWhenItsArrayIsClosed(EngineOptions.Kind kind, int bulk) throws InterruptedException {
    var gate = new Gate();
    ArrayRuntime arrays = open(kind, gate);
    NDArray x = arrays.ones(DType.FLOAT32, 4);
    Thread caller = start(() -> {
      try (NDArray sum = arrays.zeros(DType.FLOAT32, 4)) {
        try (var _ = arrays.bulk(bulk)) {
          sum.addi(1);
          assertThat(isRefused(() -> twice(x), ARRAY_CLOSED)).isTrue();
          sum.addi(1);
        }
        assertThat(sum.toFloatArray()).containsOnly(2);
      }
    });
    gate.awaitArrival();
    x.close();
    gate.open();
    join(caller);
    assertThat(isRefused(() -> x.range().storage().retain(), ARRAY_CLOSED)).isTrue();
    arrays.waitAll();
    arrays.close();
    assertNothingIsLeft(arrays);
  }

  /** Who waits for its value is refused; operations that were pushed before have it. */
  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  void anArrayIsClosedWhileItsValueIsComputed(EngineOptions.Kind kind) throws InterruptedException {
    var gate = new Gate();
    ArrayRuntime arrays = open(kind);
    NDArray y = late(arrays, gate, arrays.ones(DType.FLOAT32, 4));
    NDArray twice = y.add(y);
    NDArray view = y.rows(0, 2);
    gate.awaitArrival();
    Thread reader = start(() -> assertThat(isRefused(y::toFloatArray, ARRAY_CLOSED)).isTrue());
    y.close();
    view.close();
    gate.open();
    join(reader);
    assertThat(twice.toFloatArray()).containsOnly(2);
    arrays.waitAll();
    arrays.close();
    assertNothingIsLeft(arrays);
  }

  /** A run that is under way when both are closed ends before, and later ones are refused. */
  @ParameterizedTest
  @CsvSource({"PER_DEVICE,false", "PER_DEVICE,true", "POOLED,false", "POOLED,true"})
  void aSessionAndTheRuntimeCloseAfterARunThatHasBegun(EngineOptions.Kind kind, boolean assigns)
    throws InterruptedException {
    var gate = new Gate();
    var closed = new AtomicBoolean();
    var ended = new AtomicInteger();
    var observer = new RunObserver() {
      @Override
      public void stepBegan(int step, int stream) {
        gate.pass();
      }

      @Override
      public void ended(boolean failed) {
        assertThat(closed).isFalse();
        assertThat(failed).isFalse();
        ended.incrementAndGet();
      }
    };
    ArrayRuntime arrays = open(kind);
    Session session = Session.of(counting(assigns), SessionOptions.DEFAULT.withThreads(1).withObservers(_ -> observer));
    NDArray x = arrays.ones(DType.FLOAT32, 4);
    NDArray twice = Objects.requireNonNull(arrays.run(session, Map.of("x", x)).get("twice"));
    gate.awaitArrival();
    Consumer<Runnable> closing = close -> {
      close.run();
      closed.set(true);
    };
    Thread closesSession = start(() -> closing.accept(session::close));
    Refusal.await(() -> arrays.run(session, Map.of()), SESSION_CLOSED); // an input is missing before
    Thread closesRuntime = start(() -> closing.accept(arrays::close));
    Refusal.await(() -> arrays.scope().close(), RUNTIME_CLOSED);
    gate.open();
    join(closesSession, closesRuntime);
    assertThat(ended).hasValue(1);
    assertThat(isRefused(twice::toFloatArray, RUNTIME_CLOSED)).isTrue();
    assertThat(isRefused(() -> arrays.run(session, Map.of("x", x)), SESSION_CLOSED)).isTrue();
    assertNothingIsLeft(arrays);
  }

  @ParameterizedTest
  @EnumSource(EngineOptions.Kind.class)
  void aRunOverTheArraysOfAClosedRuntimeIsRefused(EngineOptions.Kind kind) {
    for (boolean assigns : new boolean[] {false, true}) {
      ArrayRuntime arrays = open(kind);
      try (Session session = Session.of(counting(assigns), SessionOptions.DEFAULT.withThreads(1))) {
        NDArray x = arrays.ones(DType.FLOAT32, 4);
        arrays.run(session, Map.of("x", x)).values().forEach(NDArray::waitToRead);
        arrays.close();
        assertThat(isRefused(() -> arrays.run(session, Map.of("x", x)), RUNTIME_CLOSED)).isTrue();
        assertNothingIsLeft(arrays);
      }
    }
  }

  /** While the function is sketched, or between call and backward: no plan is kept for a call that is given up. */
  @ParameterizedTest
  @CsvSource({"PER_DEVICE,false", "PER_DEVICE,true", "POOLED,false", "POOLED,true"})
  void aRuntimeIsClosedWhileACachedFunctionIsRecorded(EngineOptions.Kind kind, boolean isSketched)
    throws InterruptedException {
    var sketching = new Gate();
    var called = new Gate();
    ArrayRuntime arrays = open(kind);
    try (var twice = CachedOp.of(x -> {
      sketching.pass();
      return List.of(x.get(0).tanh().mul(x.get(0)));
    }, CachedOpOptions.DEFAULT.withInlineLimit(0))) {
      Thread caller = start(() -> assertThat(isRefused(() -> {
        try (var _ = arrays.scope(); var _ = Autograd.record()) {
          NDArray y = twice.call(arrays.ones(DType.FLOAT32, 4).attachGradient()).get(0);
          called.pass();
          y.sum().backward();
        }
      }, RUNTIME_CLOSED)).isTrue());
      sketching.awaitArrival();
      if (isSketched) {
        sketching.open();
        called.awaitArrival();
      }
      arrays.close();
      sketching.open();
      called.open();
      join(caller);
      assertNothingIsLeft(arrays);
      assertThat(twice.stats().pendingCalls()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  @Tag("soak")
  void aRuntimeIsClosedWhileThreadsMakeAndCloseArrays(EngineOptions.Kind kind) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind));
      NDArray x = arrays.ones(DType.FLOAT32, 4);
      boolean bulks = round % 3 == 0;
      var wrapped = new AtomicInteger();
      var released = new AtomicInteger();
      List<Thread> threads = List.of(start(() -> computeUntilRefused(arrays, x, bulks)),
        start(() -> computeUntilRefused(
          arrays, x, false)),
        start(() -> wrapUntilRefused(arrays, wrapped, released)));
      pause(round);
      arrays.close();
      join(threads);
      assertThat(released).hasValue(wrapped.get());
      assertNothingIsLeft(arrays);
    }
  }

  private static void computeUntilRefused(ArrayRuntime arrays, NDArray x, boolean bulks) {
    boolean refused = false;
    while (!refused) {
      refused = isRefused(() -> {
        if (bulks) {
          try (var _ = arrays.bulk(3)) {
            compute(arrays, x);
          }
        } else {
          compute(arrays, x);
        }
      }, RUNTIME_CLOSED);
    }
  }

  private static void compute(ArrayRuntime arrays, NDArray x) {
    try (NDArray y = x.add(x); NDArray z = arrays.of(new float[] {1, 2, 3, 4}, 4); NDArray all = y.add(z)) {
      assertThat(all.toFloatArray()).containsExactly(3, 4, 5, 6);
      try (HeldArray held = z.hold()) {
        // Bytes that stay, also when the runtime is closed and others compute.
        for (int i = 0; i < 20; i++) {
          assertThat(held.view().segment().get(ValueLayout.JAVA_FLOAT, 12)).isEqualTo(4);
        }
      }
    }
  }

  /** Lets the other threads run for a while that is different in each round. */
  private static void pause(int round) {
    spin(round * 1000);
  }

  /** Memory of the program is told to be free once for each array, whichever thread closes it. */
  private static void wrapUntilRefused(ArrayRuntime arrays, AtomicInteger wrapped, AtomicInteger released) {
    var view = TensorView.ofLongs(1, 2, 3);
    var own = new TensorView(view.type(), Arena.ofAuto().allocate(24, 8).copyFrom(view.segment()));
    List<NDArray> open = new ArrayList<>();
    boolean refused = false;
    while (!refused) {
      refused = isRefused(() -> {
        open.add(arrays.wrapReadOnly(own, released::incrementAndGet));
        wrapped.incrementAndGet();
      }, RUNTIME_CLOSED);
      if (open.size() > 2) {
        open.removeFirst().close();
      }
    }
    // What was made when the runtime had just closed.
    open.forEach(it -> it.range().close());
  }

  /** An array that a thread closes and others use. */
  private record Shared(NDArray array, float value) {}

  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  @Tag("soak")
  void arraysAreClosedWhileThreadsUseThem(EngineOptions.Kind kind) throws InterruptedException {
    var options = EngineOptions.DEFAULT.withKind(kind).withThreads(new EngineOptions.Threads(2, 2, 1, 1, 2));
    for (int extent : new int[] {3, 3000}) {
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(options).withThreads(1));
      var shared = new AtomicReferenceArray<@Nullable Shared>(3);
      var ended = new AtomicBoolean();
      var refusals = new AtomicInteger();
      for (int i = 0; i < shared.length(); i++) {
        shared.set(i, new Shared(arrays.full(i, DType.FLOAT32, extent), i));
      }
      List<Thread> users = new ArrayList<>();
      for (int seed = 0; seed < 3; seed++) {
        var random = new SplittableRandom(seed);
        users.add(start(() -> use(arrays, shared, random, refusals)));
      }
      Thread closer = start(() -> {
        var random = new SplittableRandom(9);
        for (int turn = 0; !ended.get(); turn++) {
          int at = random.nextInt(shared.length());
          float value = turn % 1000;
          NDArray next = arrays.full(value, DType.FLOAT32, extent);
          if (turn % 8 == 0) {
            // Or it runs far ahead, and each user waits behind thousands of operations.
            assertThat(next.toFloatArray()).contains(value);
          }
          Shared before = shared.getAndSet(at, new Shared(next, value));
          spin(random.nextInt(300));
          Objects.requireNonNull(before).array.close();
        }
      });
      try {
        join(users);
      } finally {
        ended.set(true);
      }
      join(List.of(closer));
      // No operation has failed.
      arrays.waitAll();
      assertThat(refusals).hasPositiveValue();
      arrays.close();
      assertNothingIsLeft(arrays);
    }
  }

  private static void spin(int turns) {
    for (int i = 0; i < turns; i++) {
      Thread.onSpinWait();
    }
  }

  /** A sum of its own counts each call that was not refused, once, whether bulked or not. */
  private static void use(ArrayRuntime arrays, AtomicReferenceArray<@Nullable Shared> shared,
    SplittableRandom random, AtomicInteger refusals) {
    long extent = Objects.requireNonNull(shared.get(0)).array.shape().extent(0);
    try (NDArray sum = arrays.zeros(DType.FLOAT64, extent)) {
      double[] expected = {0};
      for (int turn = 0; turn < 2000; turn++) {
        boolean bulks = random.nextInt(4) == 0;
        int calls = bulks ? 6 : 1;
        try (var _ = arrays.bulk(bulks ? 4 : 0)) {
          for (int i = 0; i < calls; i++) {
            Shared used = Objects.requireNonNull(shared.get(random.nextInt(shared.length())));
            int kind = random.nextInt(5);
            if (isRefused(() -> expected[0] += added(arrays, sum, used, kind), ARRAY_CLOSED)) {
              refusals.incrementAndGet();
            }
          }
        }
        if (turn % 100 == 0) {
          assertThat(sum.toDoubleArray()).containsOnly(expected[0]);
        }
      }
      assertThat(sum.toDoubleArray()).containsOnly(expected[0]);
    }
  }

  /** Uses the array once, adds its value to the sum, and returns that value. */
  private static double added(ArrayRuntime arrays, NDArray sum, Shared used, int kind) {
    NDArray x = used.array;
    NDArray value = switch (kind) {
      case 0 -> x.astype(DType.FLOAT64);
      case 1 -> {
        try (NDArray view = x.reshape(1, -1); NDArray twice = view.add(view); NDArray same = twice.sub(view)) {
          yield same.astype(DType.FLOAT64).get("0");
        }
      }
      case 2 -> arrays.of(toDoubles(x.toFloatArray()), x.shape().extents());
      case 3 -> arrays.call("to doubles", List.of(x), List.of(sum.type()), (read, written) -> {
        for (long i = 0; i < read.get(0).elementCount(); i++) {
          written.get(0).segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, read.get(0).doubleAt(i));
        }
      }).get(0);
      default -> {
        try (NDArray copy = arrays.zeros(DType.FLOAT32, x.shape().extents())) {
          yield copy.addi(x).astype(DType.FLOAT64);
        }
      }
    };
    try (value) {
      sum.addi(value);
    }
    return used.value;
  }

  private static double[] toDoubles(float[] floats) {
    double[] doubles = new double[floats.length];
    for (int i = 0; i < floats.length; i++) {
      doubles[i] = floats[i];
    }
    return doubles;
  }

  /** {@code twice = x + x}, and {@code total} gains x. */
  private static Graph counting(boolean assigns) {
    TensorType type = TensorType.of(DType.FLOAT32, 4);
    var graph = new GraphBuilder("counting");
    NodeEntry x = graph.input("x", type);
    graph.output("twice", graph.apply("Add", x, x));
    if (assigns) {
      NodeEntry total = graph.variable("total", TensorView.ofFloats(type.shape(), 0, 0, 0, 0));
      graph.assign(total, graph.apply("Add", total, x));
    }
    return graph.build();
  }

  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  @Tag("soak")
  void aRuntimeAndASessionAreClosedWhileThreadsRunIt(EngineOptions.Kind kind) throws InterruptedException {
    for (int round = 0; round < 100; round++) {
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind).withThreads(1));
      Session session = Session.of(counting(round % 2 == 0), SessionOptions.DEFAULT.withThreads(1));
      NDArray x = arrays.ones(DType.FLOAT32, 4);
      List<Thread> threads = new ArrayList<>(Stream.generate(() -> start(() -> runUntilRefused(arrays, session, x)))
        .limit(2).toList());
      pause(round);
      boolean both = round % 3 == 0;
      if (both) {
        threads.add(start(session::close));
      }
      if (round % 3 == 1) {
        session.close();
      }
      arrays.close();
      join(threads);
      if (round % 3 == 2) {
        session.close();
      }
      assertNothingIsLeft(arrays);
    }
  }

  private static void runUntilRefused(ArrayRuntime arrays, Session session, NDArray x) {
    boolean refused = false;
    while (!refused) {
      refused = isRefused(() -> {
        try (NDArray twice = Objects.requireNonNull(arrays.run(session, Map.of("x", x)).get("twice"))) {
          assertThat(twice.toFloatArray()).containsOnly(2);
        }
      }, RUNTIME_CLOSED, SESSION_CLOSED);
    }
  }

  /** A gradient whose array cannot have it has no owner: no scope would close it. */
  @ParameterizedTest
  @EnumSource(EngineOptions.Kind.class)
  void aGradientIsAttachedWhenTheRuntimeIsClosed(EngineOptions.Kind kind) {
    var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind));
    NDArray x = arrays.ones(DType.FLOAT32, 4);
    arrays.close();
    assertThat(isRefused(x::attachGradient, RUNTIME_CLOSED)).isTrue();
    assertNothingIsLeft(arrays);
  }

  /** A call of a cached function that cannot be recorded any more keeps no plan. */
  @ParameterizedTest
  @EnumSource(value = EngineOptions.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NAIVE")
  @Tag("soak")
  void aRuntimeIsClosedWhileThreadsRecordACachedFunction(EngineOptions.Kind kind) throws InterruptedException {
    for (int round = 0; round < 100; round++) {
      var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind).withThreads(1));
      try (var twice = CachedOp.of(x -> List.of(x.get(0).tanh().mul(x.get(0))), CachedOpOptions.DEFAULT
        .withInlineLimit(0))) {
        List<Thread> threads = Stream.generate(() -> start(() -> recordUntilRefused(arrays, twice))).limit(2).toList();
        pause(10 * round);
        arrays.close();
        join(threads);
        assertNothingIsLeft(arrays);
        assertThat(twice.stats().pendingCalls()).isZero();
      }
    }
  }

  private static void recordUntilRefused(ArrayRuntime arrays, CachedOp function) {
    boolean refused = false;
    while (!refused) {
      refused = isRefused(() -> {
        try (var _ = arrays.scope(); var _ = Autograd.record()) {
          NDArray x = arrays.ones(DType.FLOAT32, 4).attachGradient();
          function.call(x).get(0).sum().backward();
        }
      }, RUNTIME_CLOSED);
    }
  }
}
