package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.budget.Budgets;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.cached.CachedOp;
import dev.cairn.runtime.cached.CachedOpOptions;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.testing.FaultInTurn;
import dev.cairn.testing.OwnThreads;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each request of arrays, of functions of arrays and of sessions over arrays to the source of their memory fails once.
 * The call or the reading of its result fails, or they do without; the same call works when it is made again, and
 * everything is given back when the runtime is closed.
 */
class ArrayFaultsTest {
  /** Arrays of 64 KiB, most of which need a region of their own. */
  private static final int SIDE = 128;

  @ParameterizedTest
  @CsvSource({"NAIVE, false", "NAIVE, true", "PER_DEVICE, false", "PER_DEVICE, true", "POOLED, false", "POOLED, true"})
  void eachRequestForMemoryFailsOnce(EngineOptions.Kind kind, boolean throwing) {
    ArrayStats usual = program(kind, MemoryBudget.of(1L << 40), FaultInTurn.none());
    int faults = FaultInTurn.sweep(fault -> {
      ArrayStats found = program(kind, Budgets.faulty(fault, throwing), fault);
      assertThat(found.storages()).isLessThanOrEqualTo(usual.storages());
      assertThat(found.memory().liveCount()).isLessThanOrEqualTo(usual.memory().liveCount());
    });
    assertThat(faults).isGreaterThan(5);
  }

  /** Returns what is held before the runtime is closed. */
  private static ArrayStats program(EngineOptions.Kind kind, MemoryBudget budget, FaultInTurn fault) {
    OwnThreads threads = OwnThreads.before();
    ArrayOptions options = ArrayOptions.DEFAULT;
    ArrayRuntime arrays = fault.survived(() -> ArrayRuntime.open(options.withEngine(options.engine().withKind(kind))
      .withMemory(options.memory().withKind(ArrayMemory.Kind.NAIVE).withBudget(budget))));
    ArrayStats last;
    try {
      all(arrays, budget, fault);
      all(arrays, budget, fault);
      last = arrays.stats();
    } finally {
      arrays.close();
    }
    threads.awaitEndOfLaterOnes();
    assertThat(budget.bytesInUse()).isZero();
    return last;
  }

  private static void all(ArrayRuntime arrays, MemoryBudget budget, FaultInTurn fault) {
    fault.survived(() -> operations(arrays));
    fault.survived(() -> gradient(arrays));
    fault.survived(() -> planned(arrays));
    fault.survived(() -> overSession(arrays, budget));
  }

  private static NDArray filled(ArrayRuntime arrays, float value) {
    float[] values = new float[SIDE * SIDE];
    Arrays.fill(values, value);
    return arrays.of(values, SIDE, SIDE);
  }

  /** What a failed operation leaves behind is told here: no later step hears of it. */
  private static void ended(ArrayRuntime arrays, Runnable work) {
    try (var _ = arrays.scope()) {
      work.run();
    } finally {
      arrays.waitAll();
    }
  }

  private static void operations(ArrayRuntime arrays) {
    ended(arrays, () -> {
      NDArray x = filled(arrays, 2);
      NDArray product = x.matmul(x).add(1).transpose();
      product.set(filled(arrays, 5).get("0"), Index.at(0));
      float[] found = product.toFloatArray();
      assertThat(found[0]).isEqualTo(5);
      assertThat(found[found.length - 1]).isEqualTo(4 * SIDE + 1);
      try (var _ = arrays.bulk(3)) {
        x = x.mul(x).add(x).neg();
      }
      assertThat(x.toFloatArray()[7]).isEqualTo(-6);
    });
  }

  private static void gradient(ArrayRuntime arrays) {
    ended(arrays, () -> {
      NDArray x = filled(arrays, 3).attachGradient(GradientRequest.WRITE);
      NDArray y;
      try (var _ = Autograd.record()) {
        y = x.mul(x).sum();
      }
      y.backward();
      assertThat(x.gradient().toFloatArray()[9]).isEqualTo(6);
    });
  }

  private static void planned(ArrayRuntime arrays) {
    ended(arrays, () -> {
      try (CachedOp op = CachedOp.of(it -> List.of(it.getFirst().mul(it.getFirst()).add(1)), CachedOpOptions.DEFAULT
        .withInlineLimit(0))) {
        assertThat(op.call(filled(arrays, 3)).getFirst().toFloatArray()[9]).isEqualTo(10);
      }
    });
  }

  private static void overSession(ArrayRuntime arrays, MemoryBudget budget) {
    ended(arrays, () -> {
      try (Session session = Session.of(model(), SessionOptions.DEFAULT.withThreads(1).withMemory(MemoryOptions.DEFAULT
        .withBudget(budget)))) {
        Map<String, NDArray> results = arrays.run(session, Map.of("x", filled(arrays, 4)));
        assertThat(Objects.requireNonNull(results.get("y")).toFloatArray()[3]).isEqualTo(16);
      }
    });
  }

  private static Graph model() {
    var builder = new GraphBuilder("square");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, SIDE, SIDE));
    builder.output("y", builder.apply("Mul", x, x));
    return builder.build();
  }
}
