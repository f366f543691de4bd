package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** T-2, T-6, T-9 to T-11 and A-12; upstream's cases 36 (under autograd), 143 and 144, and defects 4 and 22. */
class AutogradRulesTest extends ArrayContract {
  @Test
  void writingToWhatIsRecordedIsRefusedAtTheCall() {
    NDArray x = counting(2, 2).attachGradient();
    NDArray view = x.rows(0, 1);
    NDArray plain = counting(2, 2);
    try (var _ = Autograd.record()) {
      NDArray y = x.mul(x);
      List<Consumer<NDArray>> writes = List.of(it -> it.addi(1), it -> it.fill(0), it -> it.copyFrom(plain), it -> it
        .set(1, Index.all()), it -> it.write(segment -> {}));
      for (NDArray target : List.of(x, y, view, y.detach(), y.reshape(4).reshape(2, 2))) {
        for (Consumer<NDArray> write : writes) {
          assertThatThrownBy(() -> write.accept(target)).isInstanceOfAny(IllegalStateException.class,
            IllegalArgumentException.class);
        }
      }
      assertThatThrownBy(() -> x.addi(1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("tape")
        .hasMessageContaining("Autograd.pause()");
      assertThatThrownBy(() -> plain.addi(y)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> plain.set(y, Index.all())).isInstanceOf(IllegalStateException.class);
      plain.addi(1);
      y.backward();
    }
    assertThat(x.gradient().toFloatArray()).containsExactly(0, 2, 4, 6);
    assertThat(plain.toFloatArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aSavedArrayThatWasOverwrittenMakesTheBackwardRefused() {
    NDArray x = floats(1, 2).attachGradient();
    NDArray data = floats(3, 4);
    NDArray y;
    NDArray z;
    try (var _ = Autograd.record()) {
      y = x.mul(data);
      z = x.add(data);
    }
    data.rows(0, 1).fill(100);
    assertThatThrownBy(y::backward).isInstanceOf(IllegalStateException.class).hasMessageContaining("overwritten")
      .hasMessageContaining("Mul");
    assertThat(x.gradient().toFloatArray()).containsOnly(0);
    // A sum reads no operand for its gradient.
    z.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(1, 1);
    try (var _ = Autograd.record()) {
      y = x.mul(data);
    }
    y.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(100, 4);
  }

  @Test
  void aBackwardThatReadsAttachedGradientsWritesThemLast() {
    NDArray w = floats(2, 3).attachGradient();
    NDArray u = floats(5, 7).attachGradient();
    w.gradient().fill(10);
    NDArray y;
    try (var _ = Autograd.record()) {
      y = u.mul(w.gradient()).add(w.mul(w)).sum();
    }
    y.backward();
    assertThat(u.gradient().toFloatArray()).containsExactly(10, 10);
    assertThat(w.gradient().toFloatArray()).containsExactly(4, 6);
  }

  @Test
  void theTapeHoldsWhatTheGradientReadsAndNothingElse() {
    NDArray x = arrays.zeros(DType.FLOAT32, 1000).attachGradient();
    arrays.waitAll();
    int before = arrays.stats().storages();
    NDArray kept;
    ArrayScope inner = arrays.scope();
    try (var _ = Autograd.record()) {
      // exp keeps its result, sums and differences keep nothing.
      kept = inner.release(x.add(1).exp().sub(2).add(3).neg());
    }
    inner.close();
    assertThat(arrays.stats().storages()).isEqualTo(before + 2);
    kept.backward();
    assertThat(arrays.stats().storages()).isEqualTo(before + 1);
    kept.close();
    assertThat(arrays.stats().storages()).isEqualTo(before);
    assertThat(x.gradient().toFloatArray()).containsOnly((float) -Math.E);
  }

  @Test
  void aTapeThatNobodyFollowsIsGivenUp() {
    NDArray x = arrays.zeros(DType.FLOAT32, 10).attachGradient();
    arrays.waitAll();
    int before = arrays.stats().storages();
    for (int i = 0; i < 10; i++) {
      try (var _ = arrays.scope(); var _ = Autograd.record()) {
        NDArray y = x;
        for (int j = 0; j < 20; j++) {
          y = y.exp().tanh();
        }
      }
      assertThat(arrays.stats().storages()).isEqualTo(before);
    }
  }

  @Test
  void longTapesNeedNoStack() {
    NDArray x = floats(1).attachGradient();
    NDArray y = x;
    try (var _ = Autograd.record()) {
      for (int i = 0; i < 20_000; i++) {
        NDArray next = y.add(1);
        if (i > 0) {
          y.close();
        }
        y = next;
      }
    }
    y.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(1);
  }

  @Test
  void gradientsCloseWithTheirArraysAndBelongToNoScope() {
    NDArray x = floats(1, 2);
    NDArray gradient;
    try (var _ = arrays.scope()) {
      x.attachGradient();
      gradient = x.gradient();
    }
    assertThat(gradient.isClosed()).isFalse();
    assertThat(x.toString()).startsWith("float32[2] cpu gradient");
    NDArray y;
    try (var _ = Autograd.record()) {
      y = x.mul(x);
    }
    x.close();
    assertThat(gradient.isClosed()).isTrue();
    assertThatThrownBy(y::backward).isInstanceOf(IllegalStateException.class);
  }

  private static List<NDArray> sigmoid(List<NDArray> operands, Consumer<NDArray> save) {
    NDArray y = operands.get(0).sigmoid();
    save.accept(y);
    return List.of(y);
  }

  @Test
  void aFunctionMayBringItsOwnGradient() {
    DifferentiableFunction function = Autograd.function(AutogradRulesTest::sigmoid, (saved, heads) -> {
      NDArray y = saved.get(0);
      return List.of(y.mul(y.neg().add(1)).mul(heads.get(0)));
    });
    NDArray x = floats(0.5f, -1, 2).attachGradient();
    NDArray y;
    try (var _ = Autograd.record()) {
      y = function.apply(x).get(0).mul(2);
    }
    y.backward();
    float[] own = x.gradient().toFloatArray();
    try (var _ = Autograd.record()) {
      y = x.sigmoid().mul(2);
    }
    y.backward();
    float[] row = x.gradient().toFloatArray();
    for (int i = 0; i < own.length; i++) {
      assertThat(own[i]).isCloseTo(row[i], within(1e-6f));
    }
  }

  @Test
  void aFunctionsOwnGradientHasAGradient() {
    DifferentiableFunction sigmoid = Autograd.function(AutogradRulesTest::sigmoid, (saved, heads) -> {
      NDArray y = saved.get(0);
      return List.of(y.mul(y.neg().add(1)).mul(heads.get(0)));
    });
    DifferentiableFunction cube = Autograd.function((x, save) -> {
      save.accept(x.get(0));
      return List.of(x.get(0).pow(3));
    }, (saved, heads) -> List.of(saved.get(0).mul(saved.get(0)).mul(3).mul(heads.get(0))));
    NDArray x = floats(0.5f, -1).attachGradient();
    for (DifferentiableFunction function : List.of(sigmoid, cube)) {
      NDArray y;
      try (var _ = Autograd.record()) {
        y = function.apply(x).get(0);
      }
      NDArray first = Autograd.gradient(List.of(y), List.of(x), Collections.singletonList(null), BackwardOptions.DEFAULT
        .withCreateGraph(true)).get(0);
      first.backward();
      double s = 1 / (1 + Math.exp(-0.5));
      float second = (float) (function.equals(sigmoid) ? s * (1 - s) * (1 - 2 * s) : 6 * 0.5);
      assertThat(x.gradient().toFloatArray()[0]).isCloseTo(second, within(1e-5f));
    }
  }

  @Test
  void aFunctionMayHaveSeveralOperandsAndResults() {
    List<Boolean> recording = new ArrayList<>();
    DifferentiableFunction function = Autograd.function((x, save) -> {
      recording.add(Autograd.isRecording());
      save.accept(x.get(0));
      save.accept(x.get(1));
      return List.of(x.get(0).mul(x.get(1)), x.get(0), x.get(1).sum());
    }, (saved, heads) -> Arrays.asList(saved.get(1).mul(heads.get(0)).add(heads.get(1)), null));
    NDArray a = floats(1, 2).attachGradient();
    NDArray b = floats(5, 7).attachGradient();
    try (var _ = Autograd.record()) {
      List<NDArray> results = function.apply(a, b);
      results.get(0).add(results.get(1)).backward();
    }
    assertThat(recording).containsExactly(false);
    assertThat(a.gradient().toFloatArray()).containsExactly(6, 8);
    assertThat(b.gradient().toFloatArray()).containsOnly(0);
    DifferentiableFunction wrong = Autograd.function((x, save) -> List.of(x.get(0).neg()), (saved, heads) -> List.of());
    NDArray y;
    try (var _ = Autograd.record()) {
      y = wrong.apply(a).get(0);
    }
    assertThatThrownBy(y::backward).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "one gradient for each operand");
  }

  @Test
  void whatWasRecordedIsASymbol() {
    NDArray x = floats(1, 2).attachGradient();
    NDArray data = floats(3, 4);
    NDArray one;
    NDArray two;
    try (var _ = Autograd.record()) {
      one = x.mul(x).add(1);
      two = x.mul(data).add(data);
    }
    Symbol symbol = Autograd.symbolOf(one);
    assertThat(symbol.arguments()).containsExactly("var0");
    assertThat(symbol.toString()).contains("Mul(var0, var0)");
    assertThat(Autograd.symbolOf(two).arguments()).containsExactly("var0", "var1");
    one.backward();
    assertThatThrownBy(() -> Autograd.symbolOf(one)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Autograd.symbolOf(data)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFailurePoisonsTheGradientsThatDependOnItAndNoOthers() {
    if (isNaive()) {
      return;
    }
    NDArray good = floats(1, 2).attachGradient();
    NDArray bad = floats(1, 2).attachGradient();
    NDArray failed = arrays.call("fails", List.of(), List.of(TensorType.of(DType.FLOAT32, 2)), (operands, results) -> {
      throw new IllegalStateException("no value");
    }).get(0);
    NDArray y;
    try (var _ = Autograd.record()) {
      y = good.mul(2).add(bad.mul(failed));
    }
    y.backward();
    assertThat(good.gradient().toFloatArray()).containsExactly(2, 2);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> bad.gradient().toFloatArray()).isInstanceOf(OperationFailed.class);
    }
    bad.zeroGradient();
    assertThat(bad.gradient().toFloatArray()).containsOnly(0);
  }

  @Test
  void memoryIsLevelOverManyIterations() {
    NDArray w = floats(1, 2, 3, 4).attachGradient();
    List<Long> bytes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      try (var _ = arrays.scope()) {
        NDArray loss;
        try (var _ = Autograd.record()) {
          loss = w.mul(w).tanh().sum();
        }
        Autograd.backward(List.of(loss), Collections.singletonList(null), BackwardOptions.DEFAULT);
        w.subi(w.gradient().mul(0.1));
      }
      arrays.waitAll();
      bytes.add(arrays.stats().memory().bytesInUse());
    }
    assertThat(bytes).containsOnly(bytes.get(0));
  }

  /** A recording is refused when another thread closes an array that the gradient would read. */
  @Test
  void aRecordingThatIsRefusedHoldsNothing() {
    NDArray x = floats(1, 2).attachGradient();
    NDArray closed = floats(3);
    closed.close();
    var givenUp = new AtomicInteger();
    TapedGradient gradient = new TapedGradient() {
      @Override
      public List<NDArray> of(List<NDArray> saved, List<NDArray> heads, BitSet wanted) {
        throw new AssertionError("nothing was recorded");
      }

      @Override
      public boolean isRecordable() {
        return true;
      }

      @Override
      public void givenUp() {
        givenUp.incrementAndGet();
      }
    };
    long storages = arrays.stats().storages();
    try (var _ = arrays.scope(); var _ = Autograd.record()) {
      NDArray square = x.mul(x).exp();
      NDArray y = floats(5, 6);
      assertThatThrownBy(() -> Autograd.recorded("mine", List.of(square), List.of(y), List.of(y, square, closed),
        gradient)).isInstanceOf(IllegalStateException.class).hasMessageContaining("array is closed: operation=save");
    }
    arrays.waitAll();
    assertThat(arrays.stats().storages()).isEqualTo(storages);
    assertThat(givenUp).hasValue(1);
  }
}
