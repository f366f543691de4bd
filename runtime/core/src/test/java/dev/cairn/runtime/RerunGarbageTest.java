package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.catalog.family.ProcessorKernels.Wanted;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that run again put nothing on the Java heap: a run with reruns makes the garbage of a run without. */
class RerunGarbageTest {
  private static final int ROWS = 32;
  private static final int WIDTH = 32;
  private static final int RUNS = 100;
  /** What compilers of the JVM may leave on the heap now and then, for each run. */
  private static final long SLACK_BYTES = 64;

  private static final Graph MODEL = TrainingGraphs.sgd(8, ROWS, WIDTH);

  /** What one run puts on the heap. */
  private static long bytes(Session session) {
    try (Tensor x = Tensor.of(new float[ROWS * WIDTH], ROWS, WIDTH)) {
      Map<String, Tensor> inputs = Map.of("x", x);
      return GarbageMeter.leastBytes(() -> {
        for (int run = 0; run < RUNS; run++) {
          session.run(inputs).close();
        }
      }) / RUNS;
    }
  }

  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"PORTABLE", "VECTOR", "ONEDNN"})
  void rerunsMakeNoGarbage(Wanted kernels) {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withDevice(DeviceOptions.CPU.withKernels(kernels));
    try (var whole = Session.of(MODEL, options.withMemoryLimitBytes(1L << 30))) {
      MemoryNeed need = MemoryNeed.of(whole.compiled().orElseThrow(), true);
      long limit = need.besidePlanBytes() + need.planBytes() * 85 / 100;
      try (var limited = Session.of(MODEL, options.withMemoryLimitBytes(limit))) {
        CompiledGraph compiled = limited.compiled().orElseThrow();
        assertThat(compiled.recomputed().orElseThrow().reruns()).isNotEmpty();
        long once = bytes(whole);
        long again = bytes(limited);
        System.err.println("H24GARBAGE " + kernels + " once " + once + " again " + again + " reruns " + compiled
          .recomputed().orElseThrow().reruns().size());
        assertThat(again).as("without reruns: %d", once).isLessThanOrEqualTo(once + SLACK_BYTES);
      }
    }
  }
}
