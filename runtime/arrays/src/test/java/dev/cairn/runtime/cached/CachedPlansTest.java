package dev.cairn.runtime.cached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayStats;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** C-2 and N6: which plans a cached function keeps, and that nothing stays of the others. */
class CachedPlansTest extends ArrayContract {
  private static final CachedOpOptions ALWAYS = CachedOpOptions.DEFAULT.withInlineLimit(0);
  /** Threads and caches may remember the latest few objects that they have used. */
  private static final int REMEMBERED = 16;
  private static final String VARIABLE = "dev.cairn.runtime.engine.queue.Variable";
  private static final String SESSION = "dev.cairn.runtime.session.Session";

  private static CachedOp of(UnaryOperator<NDArray> function) {
    return CachedOp.of(it -> List.of(function.apply(it.get(0))), ALWAYS);
  }

  @Test
  void eachSignatureHasAPlanAndTheOldestGoesFirst() {
    List<Boolean> sketched = new ArrayList<>();
    try (CachedOp op = CachedOp.of(x -> {
      sketched.add(Autograd.isTraining());
      return List.of(x.get(0).exp().add(1));
    }, ALWAYS.withMaxPlans(2))) {
      for (int n : new int[] {1, 2, 1, 3, 1, 2}) {
        assertThat(op.call(arrays.zeros(DType.FLOAT32, n)).get(0).toFloatArray()).hasSize(n).containsOnly(2);
        assertThat(op.stats().plans()).isLessThanOrEqualTo(2);
      }
      assertThat(sketched).hasSize(4);
      try (var _ = Autograd.trainMode()) {
        op.call(arrays.zeros(DType.FLOAT32, 2));
      }
      assertThat(sketched).hasSize(5).last().isEqualTo(true);
    }
    assertThat(sketched).hasSize(5);
  }

  @Test
  void aChangedFunctionIsSketchedAgainWhenPlansAreDropped() {
    List<Integer> layers = new ArrayList<>(List.of(1, 2));
    try (CachedOp op = of(x -> {
      NDArray y = x;
      for (int layer : layers) {
        y = y.add(layer).abs();
      }
      return y;
    })) {
      assertThat(op.call(floats(1)).get(0).toFloatArray()).containsExactly(4);
      layers.add(10);
      op.dropPlans();
      assertThat(op.call(floats(1)).get(0).toFloatArray()).containsExactly(14);
    }
  }

  /** The plan needs 8 MiB for values between its operators. */
  @Test
  void plansKeepToTheRuntimesLimitOfMemory() {
    ArrayMemory memory = ArrayMemory.DEFAULT;
    for (long limit : new long[] {1L << 20, 64L << 20}) {
      try (ArrayRuntime limited = ArrayRuntime.open(options().withMemory(memory.withLimitBytes(limit)));
        var _ = limited.scope();
        CachedOp op = of(x -> x.broadcastTo(2048, 1024).cumsum(0).cumsum(1).max())) {
        NDArray x = limited.ones(DType.FLOAT32, 1024);
        if (limit > 8L << 20) {
          assertThat(op.call(x).get(0).item()).isEqualTo(2048f * 1024);
        } else {
          assertThatThrownBy(() -> op.call(x).get(0).item()).hasStackTraceContaining(OutOfMemory.class.getName());
        }
      }
    }
  }

  /** The plan needs 8 MiB, which count in the budget that arrays and other sessions share. */
  @Test
  void plansJoinTheBudgetOfTheArrays() {
    for (long bytes : new long[] {6L << 20, 64L << 20}) {
      MemoryBudget budget = MemoryBudget.of(bytes);
      try (ArrayRuntime shared = ArrayRuntime.open(options().withMemory(ArrayMemory.DEFAULT.withBudget(budget)));
        var _ = shared.scope();
        CachedOp op = of(x -> x.broadcastTo(2048, 1024).cumsum(0).cumsum(1).max())) {
        NDArray x = shared.ones(DType.FLOAT32, 1024);
        x.waitToRead();
        long ofArrays = budget.bytesInUse();
        if (bytes > 8L << 20) {
          assertThat(op.call(x).get(0).item()).isEqualTo(2048f * 1024);
          assertThat(budget.bytesInUse() - ofArrays).isGreaterThanOrEqualTo(8L << 20);
        } else {
          assertThatThrownBy(() -> op.call(x).get(0).item()).hasStackTraceContaining(OutOfMemory.class.getName());
        }
      }
      assertThat(budget.bytesInUse()).isZero();
    }
  }

  /** An operation must not wait for the plan's runs, so its memory goes back later; the function stays usable. */
  @Test
  void plansCanBeDroppedInsideAnOperation() {
    try (CachedOp op = of(x -> x.abs().add(1))) {
      assertThat(op.call(floats(1)).get(0).item()).isEqualTo(2);
      NDArray dropped = arrays.call("drop", List.of(floats(1)), List.of(floats(1).type()), (operands, results) -> {
        op.dropPlans();
        results.get(0).segment().copyFrom(operands.get(0).segment());
      }).get(0);
      assertThat(dropped.item()).isEqualTo(1);
      assertThat(op.stats().plans()).isZero();
      assertThat(op.call(floats(4)).get(0).item()).isEqualTo(5);
      assertThat(op.stats().plans()).isEqualTo(1);
    }
  }

  /** While one thread sketches, others can call the function with other shapes. */
  @Test
  void aThreadThatSketchesHoldsNothingUp() {
    CachedOp[] self = new CachedOp[1];
    try (CachedOp op = CachedOp.of(x -> {
      if (x.get(0).shape().extent(0) == 2) {
        float other = CompletableFuture.supplyAsync(() -> {
          try (var _ = arrays.scope()) {
            return self[0].call(arrays.ones(DType.FLOAT32, 1)).get(0).toFloatArray()[0];
          }
        }).join();
        assertThat(other).isEqualTo(2);
      }
      return List.of(x.get(0).abs().add(1));
    }, ALWAYS)) {
      self[0] = op;
      assertThat(op.call(floats(1, 2)).get(0).toFloatArray()).containsExactly(2, 3);
    }
  }

  /** Once before the first plan, once when a plan for other gradients is there. */
  @Test
  void plansThatAreDroppedInTheMiddleOfACallStayDropped() {
    for (boolean isSecond : new boolean[] {false, true}) {
      NDArray x = floats(1).attachGradient();
      List<Integer> added = new ArrayList<>(List.of(1));
      try (CachedOp op = of(it -> it.abs().add(added.getLast()).neg())) {
        if (isSecond) {
          assertThat(op.call(x).get(0).item()).isEqualTo(-2);
        }
        try (var _ = Autograd.record(false)) {
          assertThat(op.call(new DroppingOperands(x, () -> {
            added.add(10);
            CompletableFuture.runAsync(op::dropPlans).join();
          })).get(0).item()).isEqualTo(-2);
          assertThat(added).hasSize(2);
          assertThat(op.stats().plans()).isZero();
          NDArray y = op.call(x).get(0);
          assertThat(y.item()).isEqualTo(-11);
          y.backward();
        }
        assertThat(x.gradient().item()).isEqualTo(-1);
        assertThat(op.stats().plans()).isEqualTo(1);
      }
    }
  }

  /** One operand; does something when the inputs of a plan are made of it: after the sketch and before the plan. */
  private static final class DroppingOperands extends AbstractList<NDArray> {
    private final NDArray operand;
    private final Runnable last;

    DroppingOperands(NDArray operand, Runnable last) {
      this.operand = operand;
      this.last = last;
    }

    @Override
    public NDArray get(int index) {
      boolean isForPlan = StackWalker.getInstance().walk(frames -> frames.anyMatch(it -> it.getClassName().endsWith(
        ".CallInputs")));
      if (isForPlan) {
        last.run();
      }
      return operand;
    }

    @Override
    public int size() {
      return 1;
    }
  }

  @Test
  void manyShapesLeaveNothing() {
    shapes(40);
  }

  @Test
  @Tag("soak")
  void tenThousandShapesLeaveNothing() {
    shapes(10_000);
  }

  /** N6: every fourth call is recorded, and every second one of these has a backward. */
  private void shapes(int count) {
    NDArray w = floats(3).attachGradient();
    // The gradient takes its memory when zeros are written.
    arrays.waitAll();
    Map<String, Long> live = LiveObjects.count(VARIABLE, SESSION);
    long sessions = live.getOrDefault(SESSION, 0L);
    ArrayStats before = arrays.stats();
    try (CachedOp op = CachedOp.of(it -> List.of(it.get(0).mul(w).add(1)), ALWAYS)) {
      for (int i = 1; i <= count; i++) {
        try (var _ = arrays.scope()) {
          NDArray x = arrays.full(2, DType.FLOAT32, i);
          if (i % 4 == 0) {
            NDArray y;
            try (var _ = Autograd.record()) {
              y = op.call(x).get(0);
            }
            if (i % 8 == 0) {
              y.backward();
              assertThat(w.gradient().item()).isEqualTo(2 * i);
            }
          } else {
            assertThat(op.call(x).get(0).sum().item()).isEqualTo(7 * i);
          }
        }
        assertThat(op.stats().plans()).isEqualTo(Math.min(i, 8));
      }
      arrays.waitAll();
      assertThat(op.stats().pendingCalls()).isZero();
      assertThat(arrays.stats().storages()).isEqualTo(before.storages());
      assertThat(LiveObjects.count(SESSION)).hasEntrySatisfying(SESSION,
        it -> assertThat(it).isLessThan(sessions + 2 * 8
          + REMEMBERED));
    }
    // Gives back the workspace that a thread keeps for its next call.
    arrays.trim();
    ArrayStats after = arrays.stats();
    assertThat(after.storages()).isEqualTo(before.storages());
    assertThat(after.memory().liveCount()).isEqualTo(before.memory().liveCount());
    assertThat(after.memory().bytesInUse()).isEqualTo(before.memory().bytesInUse());
    LiveObjects.count(VARIABLE, SESSION).forEach((type, now) -> assertThat(now).as(type).isLessThan(live.getOrDefault(
      type, 0L) + REMEMBERED));
  }
}
