package dev.cairn.runtime.cached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.autograd.BackwardOptions;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.graph.ControlFixture;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.ArrayScope;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.session.SameValues;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** C-2 to C-8; upstream's cases 146 to 157, and defects 12 and 17. */
class CachedOpTest extends ArrayContract {
  private static final CachedOpOptions ALWAYS = CachedOpOptions.DEFAULT.withInlineLimit(0);

  private NDArray random(long... shape) {
    return arrays.random().uniform(-1, 1, DType.FLOAT32, shape);
  }

  private static CachedOp of(UnaryOperator<NDArray> function) {
    return CachedOp.of(it -> List.of(function.apply(it.get(0))), ALWAYS);
  }

  @Test
  void aCallGivesTheBitsOfTheFunction() {
    NDArray w = random(8, 5).attachGradient();
    NDArray b = random(5).attachGradient();
    UnaryOperator<NDArray> network = x -> {
      NDArray h = x.matmul(w).add(b).tanh();
      return h.mul(h).add(h.sigmoid()).softmax(1).mul(h).sum();
    };
    NDArray x = random(4, 8).attachGradient();
    List<float[]> plain = new ArrayList<>();
    List<float[]> planned = new ArrayList<>();
    try (CachedOp op = of(network)) {
      plain.add(network.apply(x).toFloatArray());
      planned.add(op.call(x).get(0).toFloatArray());
      collect(plain, network, x, w, b);
      collect(planned, it -> op.call(it).get(0), x, w, b);
      assertThat(op.stats().pendingCalls()).isZero();
      assertThat(op.stats().plans()).isEqualTo(2);
    }
    for (int i = 0; i < plain.size(); i++) {
      assertThat(planned.get(i)).as("array %d", i).containsExactly(plain.get(i));
    }
  }

  /** Case 149: plans that stay, plans that are given back after each call, and no plans give the same bits. */
  @Test
  void allWaysToKeepMemoryGiveTheSameBits() {
    NDArray w = random(8, 5).attachGradient();
    UnaryOperator<NDArray> network = x -> x.matmul(w).tanh().softmax(1).log().sum();
    List<List<float[]>> modes = new ArrayList<>();
    for (CachedOpOptions options : List.of(ALWAYS, ALWAYS.withMaxPlans(1), ALWAYS.withInlineLimit(100))) {
      List<float[]> seen = new ArrayList<>();
      arrays.random().seed(3);
      try (CachedOp op = CachedOp.of(it -> List.of(network.apply(it.get(0))), options)) {
        for (int rows : new int[] {4, 2, 4, 3, 4}) {
          NDArray x = random(rows, 8).attachGradient();
          seen.add(op.call(x).get(0).toFloatArray());
          collect(seen, it -> op.call(it).get(0), x, w);
          if (options.maxPlans() == 1) {
            op.dropPlans();
          }
        }
        assertThat(op.stats().pendingCalls()).isZero();
      }
      modes.add(seen);
    }
    for (List<float[]> mode : modes) {
      for (int i = 0; i < mode.size(); i++) {
        assertThat(mode.get(i)).as("array %d", i).containsExactly(modes.get(0).get(i));
      }
    }
  }

  /** Case 154. */
  @Test
  void squeezingWorksForShapesThatCameLater() {
    try (CachedOp op = of(x -> x.squeeze(2).exp().add(1))) {
      for (long[] shape : new long[][] {{3, 5, 1}, {7, 2, 1}, {1, 1, 1}, {3, 5, 1}}) {
        NDArray y = op.call(arrays.zeros(DType.FLOAT32, shape)).get(0);
        assertThat(y.type().shape().extents()).containsExactly(shape[0], shape[1]);
        assertThat(y.toFloatArray()).containsOnly(2);
      }
    }
  }

  private static void collect(List<float[]> into, UnaryOperator<NDArray> function, NDArray... leaves) {
    NDArray y;
    try (var _ = Autograd.record()) {
      y = function.apply(leaves[0]);
    }
    into.add(y.toFloatArray());
    y.backward();
    for (NDArray leaf : leaves) {
      into.add(leaf.gradient().toFloatArray());
    }
  }

  @Test
  void parametersAreReadAnewInEachCall() {
    NDArray w = floats(1, 2);
    try (CachedOp op = of(x -> x.mul(w).add(1))) {
      assertThat(op.call(floats(1, 1)).get(0).toFloatArray()).containsExactly(2, 3);
      w.fill(10);
      assertThat(op.call(floats(1, 1)).get(0).toFloatArray()).containsExactly(11, 11);
      w.fill(20);
      NDArray late = op.call(floats(1, 1)).get(0);
      w.fill(30);
      assertThat(late.toFloatArray()).containsExactly(21, 21);
    }
  }

  @Test
  void severalCallsMayWaitForOneBackward() {
    NDArray x = floats(1, 2).attachGradient();
    try (CachedOp op = of(it -> it.exp().mul(it).tanh())) {
      NDArray y;
      try (var _ = Autograd.record()) {
        NDArray first = op.call(x).get(0);
        NDArray second = op.call(x.mul(2)).get(0);
        assertThat(op.stats().pendingCalls()).isEqualTo(2);
        assertThat(op.stats().pendingBytes()).isPositive();
        y = first.add(second);
      }
      y.backward();
      assertThat(op.stats()).isEqualTo(new CachedOpStats(1, 0, 0));
      float[] planned = x.gradient().toFloatArray();
      UnaryOperator<NDArray> plain = it -> it.exp().mul(it).tanh();
      try (var _ = Autograd.record()) {
        y = plain.apply(x).add(plain.apply(x.mul(2)));
      }
      y.backward();
      assertThat(planned).containsExactly(x.gradient().toFloatArray());
    }
  }

  @Test
  void aPendingCallEndsWithItsTape() {
    NDArray x = floats(1, 2).attachGradient();
    try (CachedOp op = of(it -> it.exp().mul(it).tanh())) {
      try (ArrayScope _ = arrays.scope(); var _ = Autograd.record()) {
        op.call(x);
        assertThat(op.stats().pendingCalls()).isEqualTo(1);
      }
      assertThat(op.stats().pendingCalls()).isZero();
      NDArray y;
      try (var _ = Autograd.record()) {
        y = op.call(x).get(0);
      }
      op.dropPlans();
      Autograd.backward(List.of(y), Collections.singletonList(null), BackwardOptions.DEFAULT.withRetain(true));
      y.backward();
      assertThat(x.isGradientFresh()).isTrue();
    }
  }

  @Test
  void requestsHoldForParametersOfCachedFunctions() {
    NDArray x = arrays.ones(DType.FLOAT32, 3);
    NDArray w = floats(1, 2, 3).attachGradient(GradientRequest.ADD);
    try (CachedOp op = of(it -> it.mul(w).exp().sum())) {
      NDArray y;
      for (int i = 0; i < 2; i++) {
        try (var _ = Autograd.record()) {
          y = op.call(x).get(0);
        }
        y.backward();
      }
      float[] twice = w.gradient().toFloatArray();
      w.attachGradient();
      try (var _ = Autograd.record()) {
        y = op.call(x).get(0);
      }
      y.backward();
      float[] once = w.gradient().toFloatArray();
      assertThat(twice).containsExactly(2 * once[0], 2 * once[1], 2 * once[2]);
      w.dropGradient();
      try (var _ = Autograd.record()) {
        assertThat(Autograd.isOnTape(op.call(x).get(0))).isFalse();
      }
    }
  }

  @Test
  void oddResultsAreRight() {
    NDArray w = floats(7, 8).attachGradient();
    NDArray x = floats(1, 2).attachGradient();
    try (CachedOp op = CachedOp.of(it -> {
      NDArray product = it.get(0).mul(it.get(1)).mul(w);
      return List.of(it.get(0), w, product, product, it.get(0).floor(), product.gt(it.get(1)));
    }, ALWAYS)) {
      List<NDArray> results;
      try (var _ = Autograd.record()) {
        results = op.call(x, x);
        assertThat(results.get(0).toFloatArray()).containsExactly(1, 2);
        assertThat(results.get(1).toFloatArray()).containsExactly(7, 8);
        assertThat(results.get(2).toFloatArray()).containsExactly(7, 32);
        assertThat(results.get(3).toFloatArray()).containsExactly(7, 32);
        Autograd.backward(List.of(results.get(0).add(results.get(2)), results.get(1), results.get(4)));
      }
      assertThat(x.gradient().toFloatArray()).containsExactly(15, 33);
      assertThat(w.gradient().toFloatArray()).containsExactly(2, 5);
      assertThat(x.toFloatArray()).containsExactly(1, 2);
    }
  }

  @Test
  void smallFunctionsAreRecordedOperatorByOperator() {
    NDArray x = floats(1, 2).attachGradient();
    try (CachedOp op = CachedOp.of(it -> List.of(it.get(0).mul(2).exp()), CachedOpOptions.DEFAULT)) {
      NDArray y;
      try (var _ = Autograd.record()) {
        y = op.call(x).get(0);
      }
      assertThat(op.stats().plans()).isZero();
      assertThat(Autograd.symbolOf(y).toString()).contains("Exp");
    }
    try (CachedOp op = CachedOp.of(it -> List.of(it.get(0).mul(2).exp().add(1)), CachedOpOptions.DEFAULT)) {
      try (var _ = Autograd.record()) {
        NDArray y = op.call(x).get(0);
        assertThat(op.stats().plans()).isEqualTo(1);
        assertThatThrownBy(() -> Autograd.gradient(List.of(y), List.of(x), Collections.singletonList(null),
          BackwardOptions.DEFAULT.withCreateGraph(true))).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inlineLimit");
      }
    }
  }

  @Test
  void shapesThatDependOnElementsRunOperatorByOperator() {
    try (CachedOp op = of(x -> x.apply("NonZero", Attributes.NONE, 1, List.of(x)).get(0).add(1).mul(2))) {
      assertThat(op.call(floats(0, 5, 6)).get(0).toLongArray()).containsExactly(4, 6);
      assertThat(op.unplannedReason().orElseThrow()).contains("NonZero");
    }
    try (CachedOp op = of(x -> x.mul(x.item()))) {
      assertThatThrownBy(() -> op.call(floats(1))).isInstanceOf(IllegalStateException.class).hasMessageContaining(
        "CachedOpTest.java");
    }
  }

  @Test
  void cachedFunctionsMayCallEachOther() {
    try (CachedOp inner = of(x -> x.mul(x).add(1)); CachedOp outer = of(x -> inner.call(x).get(0).exp())) {
      assertThat(outer.call(floats(0)).get(0).toFloatArray()).containsExactly((float) Math.E);
      assertThat(inner.stats().plans()).isZero();
    }
  }

  @Test
  void randomNumbersAreThoseOfTheFunction() {
    UnaryOperator<NDArray> function = x -> x.add(arrays.random().uniform(DType.FLOAT32, 3)).mul(arrays.random()
      .normal(DType.FLOAT32, 3)).add(1);
    arrays.random().seed(7);
    float[] first = function.apply(floats(1, 2, 3)).toFloatArray();
    float[] second = function.apply(floats(1, 2, 3)).toFloatArray();
    arrays.random().seed(7);
    try (CachedOp op = of(function)) {
      assertThat(op.call(floats(1, 2, 3)).get(0).toFloatArray()).containsExactly(first);
      assertThat(op.call(floats(1, 2, 3)).get(0).toFloatArray()).containsExactly(second);
    }
  }

  @Test
  void statesAreOverwrittenByEachCall() {
    NDArray count = floats(0, 0);
    UnaryOperator<NDArray> function = x -> {
      count.copyFrom(count.mul(0.5).add(x));
      return x.mul(count).exp().add(count);
    };
    NDArray x = floats(1, 2).attachGradient();
    List<float[]> plain = new ArrayList<>();
    List<float[]> planned = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      collect(plain, function, x);
      plain.add(count.toFloatArray());
    }
    count.fill(0);
    try (CachedOp op = of(function)) {
      for (int i = 0; i < 3; i++) {
        collect(planned, it -> op.call(it).get(0), x);
        planned.add(count.toFloatArray());
      }
    }
    assertThat(planned).hasSameSizeAs(plain);
    for (int i = 0; i < plain.size(); i++) {
      assertThat(planned.get(i)).as("array %d", i).containsExactly(plain.get(i));
    }
  }

  @Test
  void aViewOfWhatTheFunctionHasOverwrittenIsRefused() {
    NDArray count = floats(0, 0, 0);
    NDArray last = count.rows(2, 3);
    try (CachedOp op = of(x -> {
      NDArray before = last.add(1);
      count.copyFrom(count.add(x));
      return x.mul(before).add(last).exp();
    })) {
      assertThatThrownBy(() -> op.call(floats(1, 2, 3))).isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("view").hasMessageContaining("read the array itself");
    }
  }

  @Test
  void aFailureInsidePoisonsAllResults() {
    if (isNaive()) {
      return;
    }
    NDArray indices = arrays.of(new long[] {100}, 1);
    try (CachedOp op = CachedOp.of(it -> List.of(it.get(0).take(it.get(1), 0).exp(), it.get(0).exp().add(1)), ALWAYS)) {
      List<NDArray> results = op.call(floats(1, 2), indices);
      for (NDArray result : results) {
        assertThatThrownBy(result::toFloatArray).isInstanceOf(OperationFailed.class).hasMessageContaining(
          "index=100");
      }
      assertThat(op.call(floats(1, 2), arrays.of(new long[] {1}, 1)).get(0).toFloatArray()).hasSize(1);
    }
  }

  @Test
  void aSymbolMayBeCalled() {
    Symbol x = Symbol.variable("x");
    Symbol y = Symbol.variable("y");
    try (CachedOp op = CachedOp.of(x.mul(y).add(x), ALWAYS)) {
      assertThat(op.call(floats(1, 2), floats(5, 6)).get(0).toFloatArray()).containsExactly(6, 14);
      assertThatThrownBy(() -> op.call(floats(1))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
        "[x, y]");
    }
  }

  /** The refusal keeps control flow, whose gradients are made for sessions, out of the graphs of cached functions. */
  @Test
  void aSymbolWithControlFlowIsRefused() {
    NodeEntry condition = Node.input("c", DeclaredType.of(TensorType.of(DType.BOOL))).entry();
    NodeEntry x = Node.input("x", DeclaredType.of(TensorType.of(DType.FLOAT32, 2))).entry();
    var then = new ControlFixture("then");
    var otherwise = new ControlFixture("else");
    NodeEntry y = ControlFixture.branch("choice", then.body(then.apply("neg", "Neg", then.parameter("x"))), otherwise
      .body(otherwise.parameter("x")), condition, x).entry();
    Symbol symbol = Symbol.of(new Graph("model", List.of(condition.node(), x.node()), List.of(new Graph.Output("y",
      y))));
    assertThatThrownBy(() -> CachedOp.of(symbol, ALWAYS)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("a session runs its graph").hasMessageContaining("node=choice");
  }

  @Test
  void threadsMayShareAFunction() throws InterruptedException {
    if (isNaive()) {
      return;
    }
    NDArray w = floats(1, 2, 3).attachGradient();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    try (CachedOp op = CachedOp.of(it -> List.of(it.get(0).mul(w).exp().add(1)), ALWAYS.withMaxPlans(2))) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int n = t;
        threads.add(new Thread(() -> {
          try (var _ = arrays.scope()) {
            for (int i = 0; i < 10; i++) {
              NDArray x = arrays.full(n, DType.FLOAT32, 1 + i % 3, 3);
              float[] wanted = x.mul(w).exp().add(1).toFloatArray();
              assertThat(op.call(x).get(0).toFloatArray()).containsExactly(wanted);
            }
          } catch (Throwable e) {
            failures.add(e);
          }
        }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void noGradientFlowsThroughWhatTheFunctionComputesWhilePaused() {
    UnaryOperator<NDArray> function = x -> {
      NDArray factor;
      try (var _ = Autograd.pause()) {
        factor = x.mul(3).exp();
      }
      try (var _ = Autograd.predictMode()) {
        return x.mul(2).tanh().mul(factor).sum();
      }
    };
    NDArray x = floats(0.3f, -0.2f, 0.7f).attachGradient();
    List<float[]> plain = new ArrayList<>();
    List<float[]> planned = new ArrayList<>();
    collect(plain, function, x);
    try (CachedOp op = of(function)) {
      op.call(x);
      collect(planned, it -> op.call(it).get(0), x);
    }
    SameValues.assertSame(planned, plain);
  }

  @Test
  void aClosedFunctionIsRefused() {
    CachedOp op = of(NDArray::neg);
    op.close();
    assertThatThrownBy(() -> op.call(floats(1))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(op::call).isInstanceOf(IllegalArgumentException.class);
  }
}
