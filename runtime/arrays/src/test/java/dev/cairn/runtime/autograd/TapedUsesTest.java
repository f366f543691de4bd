package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import org.junit.jupiter.api.Test;

/** What a runtime remembers of the calls that its tapes have recorded. */
class TapedUsesTest {
  /** A loop whose constant differs in each step, as a scale or a draw. */
  @Test
  void constantsThatChangeNeitherPileUpNorDriveOthersOut() {
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1)); var _ = arrays.scope()) {
      NDArray w = arrays.ones(DType.FLOAT32, 2).attachGradient();
      try (var _ = Autograd.record()) {
        w.mul(-1);
      }
      TapedUses uses = TapedUses.of(arrays);
      assertThat(uses.size()).isEqualTo(1);
      for (int i = 0; i < TapedUses.MOST + 10; i++) {
        try (var _ = arrays.scope(); var _ = Autograd.record()) {
          w.mul(i);
          // Used again and again, it is never the one that was used least recently.
          w.mul(-1);
        }
      }
      assertThat(uses.size()).isEqualTo(TapedUses.MOST);
      int made = uses.made();
      try (var _ = Autograd.record()) {
        w.mul(-1);
      }
      assertThat(uses.made()).as("it was still remembered").isEqualTo(made);
    }
  }

  @Test
  void largeConstantsAreNotKept() {
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withThreads(1)); var _ = arrays.scope()) {
      NDArray w = arrays.ones(DType.FLOAT32, 1000).attachGradient();
      NDArray mask = arrays.constant(TensorView.ofFloats(Shape.of(1000), new float[1000]));
      NDArray y;
      try (var _ = Autograd.record()) {
        y = w.mul(mask).sum();
      }
      // The sum is remembered, the product is not.
      assertThat(TapedUses.of(arrays).size()).isEqualTo(1);
      y.backward();
      assertThat(w.gradient().toFloatArray()).containsOnly(0);
    }
  }

  /** The operators of a runtime, and classes of the program with them, go with the runtime. */
  @Test
  void eachRuntimeRemembersItsOwn() {
    try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      ArrayRuntime others = ArrayRuntime.open(
        ArrayOptions.DEFAULT)) {
      assertThat(TapedUses.of(arrays)).isSameAs(TapedUses.of(arrays)).isNotSameAs(TapedUses.of(others));
    }
  }
}
