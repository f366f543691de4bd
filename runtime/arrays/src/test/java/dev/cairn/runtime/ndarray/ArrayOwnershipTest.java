package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import dev.cairn.testing.Reclaimed;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A-11 scopes, A-12 closing. */
class ArrayOwnershipTest extends ArrayContract {
  private static final int ROUNDS = 50;

  @Test
  void aScopeClosesWhatWasMadeInIt() {
    NDArray outer = floats(1);
    NDArray kept;
    NDArray released;
    NDArray gone;
    try (var inner = arrays.scope()) {
      gone = outer.add(1);
      kept = inner.keep(outer.add(2));
      released = inner.release(outer.add(3));
      gone.reshape(1, 1);
    }
    assertThat(gone.isClosed()).isTrue();
    assertThat(kept.item()).isEqualTo(3);
    assertThat(released.item()).isEqualTo(4);
    assertThat(outer.isClosed()).isFalse();
    released.close();
    assertThatThrownBy(() -> gone.add(1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    assertThat(gone.toString()).isEqualTo("float32[1] cpu closed");
  }

  @Test
  void aScopeClosesAllArraysAlsoWhereOneFails() {
    ArrayScope inner = arrays.scope();
    NDArray first = floats(1);
    NDArray second = floats(2);
    FollowedCalls.place(first, new TapePlace() {
      @Override
      public boolean isOnTape() {
        return false;
      }

      @Override
      public void released() {
        throw new IllegalArgumentException("planted");
      }

      @Override
      public void backward(NDArray array, @Nullable NDArray head) {
        throw new AssertionError("no gradient was asked for");
      }
    });
    assertThatThrownBy(inner::close).isInstanceOf(IllegalArgumentException.class).hasMessage("planted");
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isTrue();
  }

  @Test
  void closingTwiceIsRefusedButNotByTheScope() {
    NDArray x = floats(1);
    x.close();
    assertThatThrownBy(x::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed twice");
    assertThatThrownBy(x::item).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> scope.keep(x)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void scopesCloseInReverseOnTheirThread() {
    ArrayScope inner = arrays.scope();
    assertThatThrownBy(scope::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("reverse");
    NDArray mine = floats(1);
    assertThatThrownBy(() -> scope.keep(mine)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CompletableFuture.runAsync(inner::close).join()).isInstanceOf(CompletionException.class)
      .hasMessageContaining("thread");
    NDArray elsewhere = CompletableFuture.supplyAsync(() -> floats(2)).join();
    inner.close();
    assertThatThrownBy(inner::close).isInstanceOf(IllegalStateException.class);
    assertThat(elsewhere.item()).isEqualTo(2);
    elsewhere.close();
  }

  /** Whichever thread runs it: the engine's, one that waits, or the one that calls. */
  @Test
  void anOperationSeesNothingThatItsThreadHasOpen() {
    List<NDArray> made = Collections.synchronizedList(new ArrayList<>());
    List<Boolean> flags = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < ROUNDS; i++) {
      try (var _ = arrays.scope(); var _ = Autograd.record()) {
        arrays.call("makes", List.of(), List.of(TensorType.of(DType.FLOAT32, 1)), (_, _) -> {
          made.add(arrays.zeros(DType.FLOAT32, 1));
          try (var own = arrays.scope()) {
            made.add(own.keep(arrays.zeros(DType.FLOAT32, 1)));
          }
          flags.add(Autograd.isRecording());
          flags.add(Autograd.isTraining());
        }).get(0).waitToRead();
        assertThat(Autograd.isRecording()).isTrue();
      }
    }
    assertThat(made).hasSize(2 * ROUNDS).noneMatch(NDArray::isClosed);
    assertThat(flags).containsOnly(false);
    made.forEach(NDArray::close);
  }

  @Test
  void aViewKeepsTheBytes() {
    NDArray x = counting(4);
    NDArray view = x.rows(1, 3);
    x.close();
    assertThat(view.toFloatArray()).containsExactly(1, 2);
    assertThat(arrays.stats().storages()).isEqualTo(1);
    view.close();
    assertThat(arrays.stats().storages()).isZero();
  }

  @Test
  void operandsMayBeClosedWhileTheirOperationsArePending() {
    NDArray sum = arrays.zeros(DType.FLOAT32, 100);
    for (int i = 0; i < 300; i++) {
      NDArray one = arrays.full(1, DType.FLOAT32, 100);
      NDArray two = one.add(1);
      one.close();
      sum.addi(two);
      two.close();
    }
    assertThat(sum.toFloatArray()).containsOnly(600);
  }

  @Test
  void nothingIsLeftOfManyArrays() {
    NDArray x = floats(1, 2);
    for (int round = 0; round < 3; round++) {
      try (var _ = arrays.scope()) {
        for (int i = 0; i < 2_000; i++) {
          x.add(1);
        }
      }
    }
    arrays.waitAll();
    assertThat(arrays.stats().storages()).isEqualTo(1);
    assertThat(arrays.stats().memory().liveCount()).isEqualTo(1);
    arrays.trim();
    assertThat(arrays.stats().memory().bytesInUse()).isLessThan(4096);
    assertThat(arrays.stats().memory().poolBytes()).as("the region of the array that is open").isEqualTo(
      BfcOptions.FIRST_REGION_BYTES);
  }

  @Test
  void manyEmptyArraysTakeNoMemory() {
    for (int round = 0; round < 2; round++) {
      try (var _ = arrays.scope()) {
        for (int i = 0; i < 5_000; i++) {
          arrays.of(new float[0], 0, 3);
        }
      }
    }
    assertThat(arrays.stats().memory().allocationCount()).isZero();
    assertThat(arrays.stats().storages()).isZero();
  }

  @Test
  void anUnreachableArrayWithoutAScopeIsFreedAtLast() throws InterruptedException {
    var released = new CountDownLatch(1);
    var memory = new TensorView(TensorType.of(DType.FLOAT32, 1), Arena.ofAuto().allocate(4, 4));
    Reclaimed.await(() -> CompletableFuture.supplyAsync(() -> arrays.wrapReadOnly(memory, released::countDown)).join());
    // When the runtime has closed, nothing is left.
    released.await();
  }

  @Test
  void closingTheRuntimeWaitsAndClosesWhatIsLeft() {
    ArrayRuntime other = ArrayRuntime.open(options());
    NDArray left = other.of(new float[] {1}, 1).add(1);
    other.close();
    other.close();
    assertThat(left.isClosed()).isTrue();
    assertThat(other.stats().memory().bytesInUse()).isZero();
    assertThatThrownBy(() -> left.add(1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    assertThatThrownBy(() -> other.zeros(DType.FLOAT32, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theLineOfACallIsNotedOnRequest() {
    var noting = options().withEngine(EngineOptions.DEFAULT.withKind(kind).withCaptureSites(true));
    try (var others = ArrayRuntime.open(noting); var _ = others.scope()) {
      NDArray x = others.of(new float[] {1, 2}, 2);
      Throwable failure = catchThrowable(() -> x.take(others.of(new long[] {9}, 1), 0)
        .waitToRead());
      assertThat(failure).hasMessageContaining("ArrayOwnershipTest");
    }
  }

  @ParameterizedTest
  @EnumSource(ArrayMemory.Kind.class)
  void everyKindOfMemoryServesArrays(ArrayMemory.Kind memory) {
    var options = options().withMemory(ArrayMemory.DEFAULT.withKind(memory));
    try (var others = ArrayRuntime.open(options); var _ = others.scope()) {
      NDArray x = others.full(2, DType.FLOAT32, 1000);
      for (int i = 0; i < 20; i++) {
        x = x.add(1);
      }
      assertThat(x.toFloatArray()).containsOnly(22);
      assertThat(others.stats().memory().bytesInUse()).isPositive();
    }
  }
}
