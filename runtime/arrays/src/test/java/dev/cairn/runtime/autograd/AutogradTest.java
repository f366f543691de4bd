package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** T-1 to T-5 and T-7; upstream's cases 135 to 142 and 145, and defects 1 to 3. */
class AutogradTest extends ArrayContract {
  private NDArray leaf(float... values) {
    return floats(values).attachGradient();
  }

  /** The result of a function while it is recorded. */
  private static NDArray recorded(NDArray x, UnaryOperator<NDArray> function) {
    try (var _ = Autograd.record()) {
      return function.apply(x);
    }
  }

  private static float[] gradientOf(NDArray x, UnaryOperator<NDArray> function) {
    recorded(x, function).backward();
    return x.gradient().toFloatArray();
  }

  @Test
  void flagsAreTheThreadsAndCloseInReverse() {
    assertThat(Autograd.isRecording() || Autograd.isTraining()).isFalse();
    RecordingScope outer = Autograd.record();
    assertThat(Autograd.isRecording() && Autograd.isTraining()).isTrue();
    try (var _ = Autograd.predictMode()) {
      assertThat(Autograd.isRecording()).isTrue();
      assertThat(Autograd.isTraining()).isFalse();
      assertThatThrownBy(outer::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("reverse");
    }
    try (var _ = Autograd.pause()) {
      assertThat(Autograd.isRecording() || Autograd.isTraining()).isFalse();
      try (var _ = Autograd.trainMode()) {
        assertThat(Autograd.isRecording()).isFalse();
        assertThat(Autograd.isTraining()).isTrue();
      }
    }
    try (var _ = Autograd.record(false)) {
      assertThat(Autograd.isRecording()).isTrue();
      assertThat(Autograd.isTraining()).isFalse();
    }
    assertThat(Autograd.isRecording() && Autograd.isTraining()).isTrue();
    outer.close();
    assertThat(Autograd.isRecording() || Autograd.isTraining()).isFalse();
    assertThatThrownBy(outer::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anotherThreadHasItsOwnFlags() throws InterruptedException {
    List<Boolean> seen = new ArrayList<>();
    try (var _ = Autograd.record()) {
      var thread = new Thread(() -> seen.add(Autograd.isRecording()));
      thread.start();
      thread.join();
    }
    assertThat(seen).containsExactly(false);
  }

  @Test
  void unaryAndBinaryFunctionsHaveTheirDerivatives() {
    NDArray x = leaf(0.5f, -1, 2);
    assertThat(gradientOf(x, it -> it.mul(it))).containsExactly(1, -2, 4);
    assertThat(gradientOf(x, it -> it.mul(3).add(1))).containsExactly(3, 3, 3);
    assertThat(gradientOf(x, it -> it.add(it).add(it).add(it))).containsExactly(4, 4, 4);
    assertThat(gradientOf(x, it -> it.pow(3))).containsExactly(0.75f, 3, 12);
    assertThat(gradientOf(x, NDArray::abs)).containsExactly(1, -1, 1);
    float[] tanh = gradientOf(x, NDArray::tanh);
    assertThat(tanh[0]).isCloseTo((float) (1 - Math.pow(Math.tanh(0.5), 2)), within(1e-6f));
    NDArray y = leaf(4, 5, 6);
    try (var _ = Autograd.record()) {
      x.mul(y).backward();
    }
    assertThat(x.gradient().toFloatArray()).containsExactly(4, 5, 6);
    assertThat(y.gradient().toFloatArray()).containsExactly(0.5f, -1, 2);
  }

  @Test
  void operandsThatBroadcastGetTheSum() {
    NDArray x = arrays.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3).attachGradient();
    NDArray b = leaf(1, 10, 100);
    try (var _ = Autograd.record()) {
      x.mul(b).backward();
    }
    assertThat(x.gradient().toFloatArray()).containsExactly(1, 10, 100, 1, 10, 100);
    assertThat(b.gradient().toFloatArray()).containsExactly(5, 7, 9);
  }

  @Test
  void anArrayIsItsOwnGradientsHead() {
    NDArray x = leaf(1, 2);
    x.backward(floats(5, 7));
    assertThat(x.gradient().toFloatArray()).containsExactly(5, 7);
    x.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(1, 1);
    NDArray same = Autograd.gradient(List.of(x), List.of(x), List.of(floats(3, 4)), BackwardOptions.DEFAULT).get(0);
    assertThat(same.toFloatArray()).containsExactly(3, 4);
    // Identity pushes nothing, and makes a view.
    assertThat(gradientOf(x, it -> it.reshape(2, 1).flatten())).containsExactly(1, 1);
  }

  @Test
  void headsAreGivenOrOnes() {
    NDArray x = leaf(1, 2, 3);
    NDArray y;
    NDArray z;
    try (var _ = Autograd.record()) {
      y = x.mul(2);
      z = x.mul(x);
    }
    Autograd.backward(List.of(y, z), Arrays.asList(null, floats(1, 10, 100)), BackwardOptions.DEFAULT);
    assertThat(x.gradient().toFloatArray()).containsExactly(4, 42, 602);
    NDArray twice = recorded(x, it -> it.mul(2));
    Autograd.backward(List.of(twice, twice), List.of(floats(1, 1, 1), floats(0, 1, 2)), BackwardOptions.DEFAULT);
    assertThat(x.gradient().toFloatArray()).containsExactly(2, 4, 6);
    NDArray again = recorded(x, it -> it.mul(2));
    assertThatThrownBy(() -> again.backward(floats(1))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("head");
  }

  @Test
  void writeReplacesAndAddAddsOnceABackward() {
    NDArray write = leaf(1, 2);
    NDArray add = floats(1, 2).attachGradient(GradientRequest.ADD);
    for (int terms = 1; terms <= 9; terms++) {
      for (NDArray x : List.of(write, add)) {
        int n = terms;
        recorded(x, it -> {
          NDArray sum = it.mul(1);
          for (int i = 1; i < n; i++) {
            sum = sum.add(it.mul(1));
          }
          return sum;
        }).backward();
      }
      assertThat(write.gradient().toFloatArray()).containsOnly(terms);
      assertThat(add.gradient().toFloatArray()).containsOnly(terms * (terms + 1) / 2f);
    }
    add.zeroGradient();
    assertThat(add.gradient().toFloatArray()).containsOnly(0);
    add.attachGradient(GradientRequest.NONE);
    assertThat(add.hasGradient()).isFalse();
    assertThatThrownBy(add::gradient).isInstanceOf(IllegalStateException.class).hasMessageContaining("attachGradient");
  }

  @Test
  void aFreshGradientIsOneThatNobodyHasUsed() {
    NDArray x = leaf(1, 2);
    assertThat(x.isGradientFresh()).isFalse();
    recorded(x, it -> it.mul(2)).backward();
    assertThat(x.isGradientFresh()).isTrue();
    Autograd.gradientUsed(x);
    assertThat(x.isGradientFresh()).isFalse();
    recorded(x, it -> it.mul(2)).backward();
    x.zeroGradient();
    assertThat(x.isGradientFresh()).isFalse();
  }

  @Test
  void aTapeServesOneBackwardUnlessItIsRetained() {
    NDArray x = leaf(1, 2);
    NDArray y = recorded(x, it -> it.mul(it));
    Autograd.backward(List.of(y), Collections.singletonList(null), BackwardOptions.DEFAULT.withRetain(true));
    assertThat(x.gradient().toFloatArray()).containsExactly(2, 4);
    y.backward(floats(10, 10));
    assertThat(x.gradient().toFloatArray()).containsExactly(20, 40);
    assertThatThrownBy(y::backward).isInstanceOf(IllegalStateException.class).hasMessageContaining("AutogradTest")
      .hasMessageContaining("retain");
  }

  @Test
  void whatWasNotRecordedHasNoBackward() {
    NDArray x = leaf(1, 2);
    assertThatThrownBy(() -> x.mul(2).backward()).isInstanceOf(IllegalStateException.class).hasMessageContaining(
      "Autograd.record()");
    NDArray plain = floats(1, 2);
    assertThatThrownBy(() -> recorded(plain, it -> it.mul(2)).backward()).isInstanceOf(IllegalStateException.class);
    NDArray y = recorded(x, it -> it.mul(2));
    x.dropGradient();
    assertThatThrownBy(y::backward).isInstanceOf(IllegalStateException.class).hasMessageContaining("attached");
    assertThatThrownBy(() -> arrays.of(new int[] {1}, 1).attachGradient()).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("astype");
  }

  @Test
  void pausedOperationsAreConstantsToTheTape() {
    NDArray x = leaf(1, 2);
    NDArray y;
    try (var _ = Autograd.record()) {
      NDArray constant;
      try (var _ = Autograd.pause()) {
        constant = x.mul(10);
      }
      y = x.mul(constant);
    }
    y.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(10, 20);
  }

  @Test
  void detachedArraysAreOffTheTape() {
    NDArray x = leaf(2, 3);
    NDArray y = recorded(x, it -> {
      NDArray square = it.mul(it);
      assertThat(square.detach().sharesStorageWith(square)).isTrue();
      return square.detach().mul(it);
    });
    y.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(4, 9);
    assertThat(Autograd.isOnTape(y.detach())).isFalse();
  }

  @Test
  void anAttachedGradientMakesAResultALeaf() {
    NDArray x = leaf(1, 2);
    NDArray middle;
    NDArray y;
    try (var _ = Autograd.record()) {
      middle = x.mul(3).attachGradient();
      y = middle.mul(middle);
    }
    y.backward();
    assertThat(middle.gradient().toFloatArray()).containsExactly(6, 12);
    assertThat(x.gradient().toFloatArray()).containsOnly(0);
  }

  @Test
  void gradientsAreGivenAsNewArrays() {
    NDArray x = floats(1).attachGradient();
    NDArray z;
    try (var _ = Autograd.record()) {
      z = x.exp().add(x);
    }
    NDArray first = Autograd.gradient(List.of(z), List.of(x), Collections.singletonList(null), BackwardOptions.DEFAULT
      .withCreateGraph(true)).get(0);
    assertThat(first.toFloatArray()[0]).isCloseTo(3.7182817f, within(1e-6f));
    assertThat(x.gradient().toFloatArray()).containsExactly(0);
    first.backward();
    assertThat(x.gradient().toFloatArray()[0]).isCloseTo(2.7182817f, within(1e-6f));
  }

  @Test
  void gradientsAreTakenOfResultsToo() {
    NDArray x = leaf(1, 2);
    NDArray other = leaf(5, 5);
    try (var _ = Autograd.record()) {
      NDArray middle = x.mul(3);
      NDArray y = middle.mul(middle);
      List<NDArray> both = Autograd.gradient(List.of(y), List.of(middle, x), Collections.singletonList(null),
        BackwardOptions.DEFAULT.withRetain(true));
      assertThat(both.get(0).toFloatArray()).containsExactly(6, 12);
      assertThat(both.get(1).toFloatArray()).containsExactly(18, 36);
      assertThatThrownBy(() -> Autograd.gradient(y, other)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no gradient leads");
      NDArray zero = Autograd.gradient(List.of(x.floor().add(middle)), List.of(x, x), Collections.singletonList(null),
        BackwardOptions.DEFAULT).get(1);
      assertThat(zero.toFloatArray()).containsExactly(3, 3);
    }
  }

  @Test
  void viewsAndSelectionsPassGradients() {
    NDArray x = counting(4, 3).attachGradient();
    NDArray y = recorded(x, it -> it.rows(1, 3).mul(2).add(it.view(Index.at(0))));
    y.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0);
    recorded(x, it -> it.get("::2, 1").mul(5)).backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0);
  }

  @Test
  void operatorsWithoutGradientAreAllNamed() {
    NDArray x = counting(1, 2, 2).attachGradient();
    NDArray y = recorded(x, it -> it.apply("DFT", Attributes.NONE, 1, List.of(it)).get(0));
    assertThatThrownBy(y::backward).isInstanceOf(UnsupportedOperators.class).hasMessageContaining("DFT");
    assertThat(gradientOf(x, it -> it.floor().add(it))).containsOnly(1);
  }

  @Test
  void secondDerivativesFollowFromRows() {
    NDArray x = leaf(0.5f, 1.5f);
    NDArray y = recorded(x, NDArray::sin);
    BackwardOptions recorded = BackwardOptions.DEFAULT.withCreateGraph(true);
    NDArray first = Autograd.gradient(List.of(y), List.of(x), Collections.singletonList(null), recorded).get(0);
    NDArray second = Autograd.gradient(List.of(first), List.of(x), Collections.singletonList(null), recorded).get(0);
    NDArray third = Autograd.gradient(second, x).get(0);
    assertThat(second.toFloatArray()[1]).isCloseTo((float) -Math.sin(1.5), within(1e-6f));
    assertThat(third.toFloatArray()[1]).isCloseTo((float) -Math.cos(1.5), within(1e-6f));
    assertThatThrownBy(() -> Autograd.backward(List.of(y), Collections.singletonList(null), recorded)).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("Autograd.gradient");
  }

  @Test
  void aGradientPenaltyHasAGradient() {
    NDArray w = arrays.of(new float[] {1, 2, 3, 4}, 2, 2).attachGradient();
    NDArray x = arrays.of(new float[] {0.5f, -0.5f}, 1, 2).attachGradient();
    try (var _ = Autograd.record()) {
      NDArray score = x.matmul(w).mul(x).sum();
      NDArray slope = Autograd.gradient(List.of(score), List.of(x), Collections.singletonList(null),
        BackwardOptions.DEFAULT.withCreateGraph(true)).get(0);
      slope.mul(slope).sum().backward();
    }
    // slope = x(W + Wᵀ); its square's gradient by W is 2(xᵀs + sᵀx).
    float[] s = {2 * 0.5f + 5 * -0.5f, 5 * 0.5f + 8 * -0.5f};
    assertThat(w.gradient().toFloatArray()).containsExactly(2 * (0.5f * s[0] + s[0] * 0.5f), 2 * (0.5f * s[1] + s[0]
      * -0.5f), 2 * (-0.5f * s[0] + s[1] * 0.5f), 2 * (-0.5f * s[1] + s[1] * -0.5f));
  }

  @Test
  void halfPrecisionSumsAreWidened() {
    NDArray x = floats(1, 2).astype(DType.FLOAT16).attachGradient();
    recorded(x, it -> {
      NDArray sum = it.mul(2048);
      for (int i = 0; i < 6; i++) {
        sum = sum.add(it);
      }
      return sum;
    }).backward();
    assertThat(x.gradient().astype(DType.FLOAT32).toFloatArray()).containsOnly(2054);
  }

  @Test
  void leavesOfOneThreadServeTheTapeOfAnother() throws InterruptedException {
    NDArray x = leaf(1, 2);
    NDArray mine = recorded(x, it -> it.mul(2));
    var thread = new Thread(() -> {
      try (var _ = arrays.scope()) {
        recorded(x, it -> it.mul(it)).backward();
      }
    });
    thread.start();
    thread.join();
    assertThat(x.gradient().toFloatArray()).containsExactly(2, 4);
    mine.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(2, 2);
  }
}
