package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.Trainer;
import dev.cairn.runtime.train.TrainerOptions;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.OwnThreads;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each call of the driver fails in turn while a session, arrays or a trainer open, work and close. The program fails,
 * or does without; either way nothing is left, and the next program has the right results.
 */
class ProgramFaultsTest {
  private static final int UNKNOWN = 999;
  private static final int OUT_OF_MEMORY = 2;
  private static final int LAUNCH_FAILED = 719;
  /** Of one function; later turns are like earlier ones. */
  private static final int MOST_TURNS = 40;

  private static final List<String> GIVES_MEMORY_BACK = List.of("cuMemFree", "cuMemFreeHost", "cuMemUnmap",
    "cuMemRelease", "cuMemAddressFree", "cuModuleUnload");

  private Simulator simulator;

  @BeforeEach
  void findSimulator() {
    simulator = CudaUnderTest.simulator();
  }

  /** Opens, works and closes; answers what it computed. */
  private interface Program {
    List<Float> run();
  }

  private static SessionOptions options() {
    return SessionOptions.DEFAULT.withThreads(1).withStreams(2).withDevice(CudaUnderTest.device());
  }

  private static Graph model() {
    var builder = new GraphBuilder("model");
    NodeEntry x = builder.input("x", new DeclaredType(DType.FLOAT32, List.of(new Dimension.Symbol("rows"),
      new Dimension.Fixed(8))));
    float[] weights = new float[64];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i % 5 - 2;
    }
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(8, 8), weights));
    NodeEntry count = builder.variable("count", TensorView.ofFloats(Shape.of(1), 1));
    NodeEntry left = builder.apply("Relu", builder.apply("MatMul", x, w));
    NodeEntry right = builder.apply("Neg", builder.apply("MatMul", builder.apply("Abs", x), w));
    builder.output("y", builder.apply("Mul", builder.apply("Add", left, right), count));
    return builder.build();
  }

  private static List<Float> session() {
    List<Float> found = new ArrayList<>();
    try (Session session = Session.of(model(), options())) {
      for (int rows : new int[] {3, 3, 3, 5}) {
        try (Tensor x = session.newInput(DType.FLOAT32, rows, 8)) {
          x.segment().fill((byte) 0);
          x.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 1, -2);
          try (Result result = session.run(Map.of("x", x))) {
            found.add(result.get("y").toFloatArray()[0]);
          }
        }
      }
      try (Tensor value = Tensor.of(new float[] {3}, 1)) {
        session.setVariable("count", value);
      }
      try (Tensor value = session.variable("count")) {
        found.add(value.toFloatArray()[0]);
      }
    }
    return found;
  }

  private static List<Float> arrays() {
    List<Float> found = new ArrayList<>();
    ArrayOptions options = ArrayOptions.DEFAULT.withDevices(CudaUnderTest.device());
    try (ArrayRuntime arrays = ArrayRuntime.open(options); var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {1, 2, 3, 4}, 2, 2).attachGradient(GradientRequest.WRITE);
      NDArray y;
      try (var _ = Autograd.record()) {
        y = x.matmul(x).add(1).mul(x).sum();
      }
      y.backward();
      found.add(y.toFloatArray()[0]);
      found.add(x.gradient().toFloatArray()[3]);
      found.add(x.to("cpu").add(2).toFloatArray()[1]);
      arrays.waitAll();
    }
    return found;
  }

  private static List<Float> training() {
    List<Float> found = new ArrayList<>();
    try (
      Trainer trainer = Trainer.of(Sequential.of(Dense.of(6), Activation.tanh(), Dense.of(2)), Losses.l2(), Optimizers
        .adam(), TrainerOptions.DEFAULT.withSession(options()))) {
      for (int i = 0; i < 3; i++) {
        try (Tensor data = Tensor.of(new float[] {1, 2, 3, i}, 1, 4); Tensor labels = Tensor.of(new float[2], 1, 2)) {
          found.add((float) trainer.iterate(data, labels));
        }
      }
      found.add((float) trainer.checkpoint().tensors().size());
    }
    return found;
  }

  private String held() {
    return simulator.leaks().lines().filter(line -> !line.startsWith("abandoned with its context")).collect(Collectors
      .joining("\n"));
  }

  /** @return how many calls failed */
  private int failInTurn(Program program, int code, List<String> functions) {
    List<Float> expected = program.run();
    String before = held();
    int failed = 0;
    for (String function : functions) {
      long made = simulator.calls(function);
      program.run();
      int turns = (int) Math.min(MOST_TURNS, simulator.calls(function) - made);
      for (int turn = 1; turn <= turns; turn++) {
        String what = "call=%s turn=%d code=%d".formatted(function, turn, code);
        OwnThreads threads = OwnThreads.before();
        simulator.fail(function, turn, code);
        try {
          assertThat(program.run()).as(what).isEqualTo(expected);
        } catch (RuntimeException e) {
          assertThat(e).as(what).satisfiesAnyOf(it -> assertThat(it).hasStackTraceContaining("code=" + code),
            it -> assertThat(it).hasStackTraceContaining(OutOfMemory.class.getName()));
        }
        simulator.clear(function);
        failed++;
        threads.awaitEndOfLaterOnes();
        if (GIVES_MEMORY_BACK.contains(function)) {
          // The driver kept that memory, and with it what depends on it.
          before = held();
        }
        assertThat(held()).as(what).isEqualTo(before);
      }
    }
    assertThat(program.run()).isEqualTo(expected);
    return failed;
  }

  private void failAll(Program program) {
    for (int code : new int[] {UNKNOWN, OUT_OF_MEMORY, LAUNCH_FAILED}) {
      assertThat(failInTurn(program, code, DriverFunctions.called())).isGreaterThan(30);
    }
  }

  @Test
  void memoryOfASessionRunsOutInTurn() {
    assertThat(failInTurn(ProgramFaultsTest::session, OUT_OF_MEMORY, List.of("cuMemAlloc", "cuMemAllocHost")))
      .isPositive();
  }

  @Test
  @Tag("long")
  void eachCallOfASessionFailsInTurn() {
    failAll(ProgramFaultsTest::session);
  }

  @Test
  @Tag("long")
  void eachCallOfArraysFailsInTurn() {
    failAll(ProgramFaultsTest::arrays);
  }

  @Test
  @Tag("long")
  void eachCallOfATrainerFailsInTurn() {
    failAll(ProgramFaultsTest::training);
  }
}
