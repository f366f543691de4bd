package dev.cairn.runtime.invoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Kernels stay prepared from one call of a use to the next. */
class PreparedKernelTest {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final TensorType TYPE = TensorType.of(DType.FLOAT32);

  private final CpuDevice device = new CpuDevice(1);
  private final AtomicInteger prepared = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final Squares squares = new Squares();

  /** Squares one number; says how often it was prepared, and how many of these runs were closed. */
  private final class Squares implements Kernel {
    private Runnable meanwhile = () -> {};
    private @Nullable KernelCall latest;

    @Override
    public void run(KernelCall call) {
      throw new AssertionError("not prepared");
    }

    @Override
    public Runnable prepare(KernelCall call) {
      prepared.incrementAndGet();
      return new Run(call);
    }

    @Override
    public boolean isRebindable() {
      return true;
    }

    @Override
    public long workspaceBytes(KernelSignature signature) {
      return Float.BYTES;
    }

    private final class Run implements Runnable, AutoCloseable {
      private final KernelCall call;
      private final AtomicInteger users = new AtomicInteger();

      Run(KernelCall call) {
        this.call = call;
        latest = call;
      }

      @Override
      public void run() {
        assertThat(users.incrementAndGet()).isEqualTo(1);
        meanwhile.run();
        float x = (float) call.input(0).doubleAt(0);
        call.workspace().set(FLOAT, 0, x);
        call.output(0).segment().set(FLOAT, 0, x * call.workspace().get(FLOAT, 0));
        users.decrementAndGet();
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    }
  }

  @AfterEach
  void closeDevice() {
    device.close();
  }

  private DispatchTable table(int limit) {
    return new DispatchTable(StandardOperators.table(), new KernelCatalog(List.of(new KernelRow("Neg", Twin.PORTABLE,
      Decides.FIRST_INPUT, Set.of(DType.FLOAT32), squares))), limit);
  }

  private static OperatorUse use(TensorType type) {
    return OperatorUse.of("Neg", Attributes.NONE, 1, new TensorType[] {type}, new TensorView[1]);
  }

  private double run(DispatchTable table, float x) {
    TensorView y = HeapTensor.allocate(TYPE);
    ((Dispatch.Compute) table.find(use(TYPE))).run(new TensorView[] {TensorView.ofFloats(Shape.SCALAR, x)},
      new TensorView[] {y}, MemorySegment.ofArray(new float[1]), device.defaultStream());
    return y.doubleAt(0);
  }

  @Test
  void callsOneAfterTheOtherArePreparedOnceAndReadTheirOwnOperands() {
    try (DispatchTable table = table(4)) {
      for (int x = 0; x < 10; x++) {
        assertThat(run(table, x)).isEqualTo(x * x);
      }
      assertThat(prepared).hasValue(1);
      assertThat(closed).hasValue(0);
    }
    assertThat(closed).hasValue(1);
  }

  /** A prepared run may wait long for its next call. */
  @Test
  void memoryOfACallThatHasEndedIsNotHeld() {
    try (DispatchTable table = table(4)) {
      run(table, 3);
      KernelCall kept = Objects.requireNonNull(squares.latest);
      assertThat(kept.has(0)).isFalse();
      assertThatThrownBy(() -> kept.output(0)).hasMessageContaining("not bound");
      assertThat(kept.workspace()).isEqualTo(MemorySegment.NULL);
      assertThat(run(table, 4)).isEqualTo(16);
      assertThat(prepared).hasValue(1);
    }
  }

  @Test
  void callsAtTheSameTimeHaveTheirOwn() {
    var together = new CyclicBarrier(3);
    squares.meanwhile = () -> {
      try {
        together.await();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    };
    try (ExecutorService threads = Executors.newFixedThreadPool(3); DispatchTable table = table(4)) {
      // Otherwise each thread might make the use that the table is to keep, with prepared runs of its own.
      table.find(use(TYPE));
      for (int round = 0; round < 2; round++) {
        List<CompletableFuture<Double>> calls = List.of(3, 4, 5).stream().map(x -> CompletableFuture.supplyAsync(
          () -> run(table, x), threads)).toList();
        assertThat(calls.stream().map(CompletableFuture::join)).containsExactly(9.0, 16.0, 25.0);
      }
      assertThat(prepared).hasValue(3);
    }
    assertThat(closed).hasValue(3);
  }

  @Test
  void aRunThatFailedIsNotUsedAgain() {
    try (DispatchTable table = table(4)) {
      squares.meanwhile = () -> {
        throw new IllegalStateException("broken");
      };
      assertThatThrownBy(() -> run(table, 2)).hasMessage("broken");
      assertThat(closed).hasValue(1);
      squares.meanwhile = () -> {};
      assertThat(run(table, 2)).isEqualTo(4);
      assertThat(prepared).hasValue(2);
    }
  }

  @Test
  void usesThatATableForgetsAreClosedAndStillRun() {
    try (DispatchTable table = table(1)) {
      run(table, 1);
      var forgotten = (Dispatch.Compute) table.find(use(TYPE));
      table.find(use(TensorType.of(DType.FLOAT32, 2)));
      table.find(use(TensorType.of(DType.FLOAT32, 3)));
      assertThat(closed).hasValue(1);
      TensorView y = HeapTensor.allocate(TYPE);
      forgotten.run(new TensorView[] {TensorView.ofFloats(Shape.SCALAR, 3)}, new TensorView[] {y}, MemorySegment
        .ofArray(new float[1]), device.defaultStream());
      assertThat(y.doubleAt(0)).isEqualTo(9);
      assertThat(closed).hasValue(2);
    }
  }

  @Test
  void rememberedValuesAreNotTheCallersMemory() {
    try (DispatchTable table = new DispatchTable(StandardOperators.table(), new KernelCatalog(List.of()), 4)) {
      Dispatch first;
      try (var arena = Arena.ofConfined()) {
        MemorySegment bytes = arena.allocate(Long.BYTES);
        bytes.copyFrom(TensorView.ofLongs(6).segment());
        first = table.find(reshape(new TensorView(TensorType.of(DType.INT64, 1), bytes)));
      }
      assertThat(table.find(reshape(TensorView.ofLongs(6)))).isSameAs(first);
      // Too many elements to compare at each call.
      long[] extents = new long[100];
      Arrays.fill(extents, 1);
      extents[0] = 6;
      OperatorUse large = reshape(TensorView.ofLongs(extents));
      assertThat(table.find(large)).isNotSameAs(table.find(large));
      assertThat(table.size()).isEqualTo(1);
    }
  }

  private static OperatorUse reshape(TensorView shape) {
    return OperatorUse.of("Reshape", Attributes.NONE, 1, new TensorType[] {TensorType.of(DType.FLOAT32, 2, 3), shape
      .type()}, new TensorView[] {null, shape});
  }
}
