package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.EngineOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Until a {@link HeldArray} is closed, its bytes stay where they are and belong to no other array. */
class HeldArrayTest {
  private static ArrayRuntime open(EngineOptions.Kind kind) {
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withEngine(kind).withThreads(1));
  }

  private static long bytesInUse(ArrayRuntime arrays) {
    return arrays.stats().memory().bytesInUse();
  }

  private static float last(HeldArray held) {
    return held.view().segment().get(ValueLayout.JAVA_FLOAT, 4);
  }

  @ParameterizedTest
  @EnumSource(EngineOptions.Kind.class)
  void memoryStaysWhenTheRuntimeIsClosed(EngineOptions.Kind kind) {
    ArrayRuntime arrays = open(kind);
    NDArray array = arrays.of(new float[] {1, 2}, 2).add(1);
    HeldArray first = array.hold();
    HeldArray second = array.hold();
    arrays.close();
    assertThat(array.isClosed()).isTrue();
    assertThat(arrays.stats().storages()).isZero();
    long kept = bytesInUse(arrays);
    assertThat(kept).as("not given back").isPositive();
    assertThatThrownBy(arrays::trim).as("would give the region away").isInstanceOf(IllegalStateException.class)
      .hasMessageContaining("closed");
    assertThat(last(first)).isEqualTo(3);
    first.close();
    assertThat(bytesInUse(arrays)).isEqualTo(kept);
    assertThat(last(second)).isEqualTo(3);
    assertThatThrownBy(first::view).isInstanceOf(IllegalStateException.class).hasMessageContaining("not held any more");
    second.close();
    second.close();
    assertThat(bytesInUse(arrays)).isZero();
  }

  @ParameterizedTest
  @EnumSource(EngineOptions.Kind.class)
  void memoryStaysWhenArrayAndViewAreClosed(EngineOptions.Kind kind) {
    try (ArrayRuntime arrays = open(kind)) {
      NDArray array = arrays.of(new float[] {1, 2, 3}, 3);
      NDArray view = array.rows(1, 3);
      HeldArray held = view.hold();
      array.close();
      view.close();
      try (NDArray other = arrays.of(new float[] {7, 8, 9}, 3)) {
        assertThat(other.toFloatArray()).containsExactly(7, 8, 9);
        assertThat(last(held)).isEqualTo(3);
      }
      assertThat(arrays.stats().storages()).isEqualTo(1);
      held.close();
      arrays.waitAll();
      assertThat(arrays.stats().storages()).isZero();
      assertThat(bytesInUse(arrays)).isZero();
    }
  }

  /** The owner of wrapped memory is called at its end, after the last hold, with the runtime open or closed. */
  @ParameterizedTest
  @EnumSource(EngineOptions.Kind.class)
  void wrappedMemoryIsReleasedAfterTheLastHold(EngineOptions.Kind kind) {
    for (boolean closesArray : new boolean[] {false, true}) {
      for (boolean closesRuntime : new boolean[] {false, true}) {
        var released = new AtomicInteger();
        ArrayRuntime arrays = open(kind);
        NDArray array = arrays.wrapReadOnly(new TensorView(TensorType.of(DType.FLOAT32, 2), Arena.ofAuto().allocate(8,
          8)), released::incrementAndGet);
        HeldArray held = array.hold();
        if (closesArray) {
          array.close();
        }
        if (closesRuntime) {
          arrays.close();
        }
        assertThat(released).hasValue(0);
        held.close();
        if (!closesRuntime) {
          arrays.waitAll();
        }
        assertThat(released).hasValue(closesArray || closesRuntime ? 1 : 0);
        if (!closesRuntime) {
          arrays.close();
        }
        assertThat(released).hasValue(1);
      }
    }
  }
}
