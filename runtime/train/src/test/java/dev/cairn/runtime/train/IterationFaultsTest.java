package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** P-7: kernels and requests for memory fail in the middle of iterations. */
class IterationFaultsTest {
  private static final int ROWS = 4;
  private static final String PRODUCT = "t::Product";
  private static final SessionOptions SESSION = SessionOptions.DEFAULT.withThreads(1).withCompile(
    CompileOptions.DEFAULT.withRecompute(CompileOptions.DEFAULT.recompute().withMode(RecomputeMode.OFF)));

  private final AtomicInteger calls = new AtomicInteger();
  private int failing = -1;

  /** {@code y = (x·a)²·b}, squared, whose squares and their gradients are products that count their calls. */
  private Trainer faulty() {
    var builder = new GraphBuilder("faulty");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, ROWS, LinearTask.INPUTS));
    NodeEntry hidden = builder.apply("MatMul", x, constant(builder, "a", LinearTask.INPUTS, 5));
    NodeEntry out = builder.apply("MatMul", builder.apply(PRODUCT, hidden, hidden), constant(builder, "b", 5,
      LinearTask.OUTPUTS));
    builder.output("y", builder.apply(PRODUCT, out, out));
    Graph graph = builder.build();
    return Trainer.of(graph, _ -> true, Losses.l2(), Optimizers.adam().rate(0.01), TrainerOptions.DEFAULT.withSession(
      SESSION.withOperators(OperatorRegistry.of(product()))));
  }

  private KernelOperator product() {
    return KernelOperator.of(PRODUCT, 2, context -> List.of(context.input(0))).withKernel(call -> {
      if (calls.getAndIncrement() == failing) {
        throw new IllegalStateException("planted");
      }
      for (long i = 0; i < call.output(0).elementCount(); i++) {
        float result = (float) (call.input(0).doubleAt(i) * call.input(1).doubleAt(i));
        call.output(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, result);
      }
    }).withGradient(g -> {
      g.give(0, g.apply(PRODUCT, g.head(), g.operand(1)));
      g.give(1, g.apply(PRODUCT, g.head(), g.operand(0)));
    });
  }

  /** Counts anew; the call with this number, from 0, fails. None fails for -1. */
  private void failAt(int call) {
    calls.set(0);
    failing = call;
  }

  private static NodeEntry constant(GraphBuilder builder, String name, int rows, int columns) {
    return builder.constant(name, TensorView.ofFloats(Shape.of(rows, columns), LinearTask.values(rows, rows
      * columns)));
  }

  /** Each kernel fails once; the trainer refuses to go on, and after {@code restore} has an unbroken run's bits. */
  @Test
  void aKernelThatFailsInTheMiddleIsMadeGoodByRestore() {
    failAt(-1);
    try (Trainer unbroken = faulty(); Trainer broken = faulty()) {
      LinearTask.run(unbroken, 0, 2, ROWS);
      LinearTask.run(broken, 0, 2, ROWS);
      Checkpoint checkpoint = broken.checkpoint();
      failAt(-1);
      double third = LinearTask.run(unbroken, 2, 3, ROWS);
      int all = calls.get();
      assertThat(all).isGreaterThanOrEqualTo(4);
      for (int turn = 0; turn < all; turn++) {
        failAt(turn);
        assertThatThrownBy(() -> LinearTask.run(broken, 2, 3, ROWS)).hasStackTraceContaining("planted");
        assertThatThrownBy(() -> LinearTask.run(broken, 2, 3, ROWS)).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("call restore");
        broken.restore(checkpoint);
        failAt(-1);
        assertThat(LinearTask.run(broken, 2, 3, ROWS)).as("failing=%d", turn).isEqualTo(third);
        assertSameBits(broken, unbroken);
        broken.restore(checkpoint);
      }
    }
  }

  private static void assertSameBits(Trainer found, Trainer expected) {
    Map<String, TensorView> wanted = expected.checkpoint().tensors();
    found.checkpoint().tensors().forEach((name, value) -> assertThat(value.segment().mismatch(Objects.requireNonNull(
      wanted.get(name)).segment())).as(name).isEqualTo(-1));
  }

  /**
   * Each limit between what a small batch and a large one take: whichever request goes beyond it, nothing has changed,
   * and the next small batch has the bits that it has without the large one. No step runs again to fit.
   */
  @Test
  void memoryThatRunsOutChangesNothing() {
    int large = 512;
    TrainerOptions options = TrainerOptions.DEFAULT.withSession(SESSION);
    try (Trainer unbroken = trainer(options); Trainer larger = trainer(options)) {
      LinearTask.run(unbroken, 0, 3, ROWS);
      long least = unbroken.plan().totalBytes();
      long most = larger.plan(LinearTask.dataType(large), LinearTask.labelsType(large)).totalBytes();
      assertThat(most).isGreaterThan(2 * least);
      for (long limit = least; limit < most; limit += Math.max(256, (most - least) / 12)) {
        try (Trainer limited = trainer(options.withSession(SESSION.withMemoryLimitBytes(limit)));
          Tensor x = LinearTask.data(9, large);
          Tensor y = LinearTask.labels(9, large)) {
          LinearTask.run(limited, 0, 2, ROWS);
          assertThatThrownBy(() -> limited.iterate(x, y)).as("limit=%d", limit).isInstanceOf(OutOfMemory.class);
          assertThat(limited.iterations()).isEqualTo(2);
          LinearTask.run(limited, 2, 3, ROWS);
          assertSameBits(limited, unbroken);
        }
      }
    }
  }

  private static Trainer trainer(TrainerOptions options) {
    return Trainer.of(LinearTask.net(), Losses.l2(), Optimizers.adam().rate(0.01), options);
  }
}
