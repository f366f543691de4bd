package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.GarbageMeter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps that run again put nothing on the Java heap but what their kernels do. */
class RecomputeGarbageTest {
  private static final int SIDE = 32;
  /** For what the JVM does with the code of one run and not of the other. */
  private static final long SLACK = 512;

  /** What one run puts on the heap. */
  private static long bytes(Session session, int runs) {
    try (Tensor x = Tensor.of(new float[SIDE * SIDE], SIDE, SIDE)) {
      Map<String, Tensor> inputs = Map.of("x", x);
      return GarbageMeter.leastBytes(() -> {
        for (int run = 0; run < runs; run++) {
          session.run(inputs).close();
        }
      }) / runs;
    }
  }

  private static int recomputations(Session session) {
    return session.compiled().orElseThrow().recomputed().orElseThrow().recomputations().size();
  }

  private static long limit(Session whole, int percent) {
    MemoryNeed need = MemoryNeed.of(whole.compiled().orElseThrow(), true);
    return need.besidePlanBytes() + need.planBytes() * percent / 100;
  }

  /** Gives a tensor of so many times the rows of its first operand, and computes nothing. */
  private static KernelOperator operator(String name, int operands, long factor, long divisor) {
    return KernelOperator.of(name, operands, context -> {
      long rows = context.input(0).shape().extent(0) * factor / divisor;
      return List.of(new TensorType(DType.FLOAT32, Shape.of(rows, SIDE)));
    }).withKernel(_ -> {});
  }

  /** A value that is read twice, far apart. No kernel makes garbage, compiled or not. */
  @Test
  void aRunWithRecomputationsMakesTheGarbageOfARunWithout() {
    OperatorRegistry operators = OperatorRegistry.of(operator("t::Copy", 1, 1, 1), operator("t::Join", 4, 4, 1),
      operator("t::Fold", 1, 1, 4), operator("t::Both", 2, 1, 1));
    var graph = new GraphBuilder("held");
    NodeEntry copied = graph.apply("t::Copy", graph.input("x", TensorType.of(DType.FLOAT32, SIDE, SIDE)));
    NodeEntry folded = graph.apply("t::Fold", graph.apply("t::Join", copied, copied, copied, copied));
    graph.output("y", graph.apply("t::Copy", graph.apply("t::Both", folded, copied)));
    Graph model = graph.build();
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withOperators(operators);
    try (var whole = Session.of(model, options.withMemoryLimitBytes(1L << 30));
      var limited = Session.of(model, options.withMemoryLimitBytes(limit(whole, 91)))) {
      assertThat(recomputations(limited)).isPositive();
      long once = Long.MAX_VALUE;
      long again = Long.MAX_VALUE;
      // The two are measured one after the other, so that the JVM has compiled as much for both.
      for (int round = 0; round < 3; round++) {
        once = Math.min(once, bytes(whole, 4));
        again = Math.min(again, bytes(limited, 4));
      }
      assertThat(again).as("without recomputations: %d", once).isLessThanOrEqualTo(once + SLACK);
    }
  }

  /** Runs in a JVM that compiles before it continues, since interpreted kernels allocate more. */
  @Test
  @Tag("long")
  void recomputationsOfCairnsKernelsMakeNoGarbage() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xbatch", "-cp",
      System.getProperty("java.class.path"), Kernels.class.getName()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  /** The program that {@link #recomputationsOfCairnsKernelsMakeNoGarbage} starts. */
  static final class Kernels {
    private Kernels() {}

    public static void main(String[] arguments) {
      // Portable kernels take a block of scratch from the heap in each call.
      measure(Wanted.PORTABLE, 12288);
      measure(Wanted.VECTOR, 384);
      measure(Wanted.ONEDNN, 384);
    }

    private static void measure(Wanted kernels, long bytesOfACall) {
      Graph model = TrainingGraphs.sgd(8, SIDE, SIDE);
      CompileOptions compile = CompileOptions.DEFAULT
        .withRecompute(CompileOptions.DEFAULT.recompute().withWork(1_000_000));
      SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withCompile(compile).withDevice(DeviceOptions.CPU
        .withKernels(kernels));
      try (var whole = Session.of(model, options.withMemoryLimitBytes(1L << 30));
        var limited = Session.of(model, options.withMemoryLimitBytes(limit(whole, 85)))) {
        assertThat(recomputations(limited)).isPositive();
        long once = bytes(whole, 20);
        assertThat(bytes(limited, 20)).as("%s without recomputations: %d", kernels, once)
          .isLessThanOrEqualTo(once + recomputations(
            limited) * bytesOfACall);
      }
    }
  }
}
