package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.catalog.family.ProcessorKernels.Wanted;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.memory.analysis.TrainingGraphs;
import dev.cairn.testing.GarbageMeter;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Steps that run again put nothing on the Java heap but what their kernels do: a run with reruns makes the garbage of a
 * run without, and of a few more calls of kernels. Portable kernels take a block of scratch from the heap in each call.
 */
class RerunGarbageTest {
  private static final int ROWS = 32;
  private static final int WIDTH = 32;
  private static final int RUNS = 20;
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
  @CsvSource({"PORTABLE, 12288", "VECTOR, 384", "ONEDNN, 384"})
  void rerunsMakeNoGarbage(Wanted kernels, long bytesOfACall) {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withDevice(DeviceOptions.CPU.withKernels(kernels));
    try (var whole = Session.of(MODEL, options.withMemoryLimitBytes(1L << 30))) {
      MemoryNeed need = MemoryNeed.of(whole.compiled().orElseThrow(), true);
      long limit = need.besidePlanBytes() + need.planBytes() * 85 / 100;
      try (var limited = Session.of(MODEL, options.withMemoryLimitBytes(limit))) {
        CompiledGraph compiled = limited.compiled().orElseThrow();
        int reruns = compiled.recomputed().orElseThrow().reruns().size();
        assertThat(reruns).isPositive();
        long once = bytes(whole);
        assertThat(bytes(limited)).as("without reruns: %d", once).isLessThanOrEqualTo(once + reruns * bytesOfACall);
      }
    }
  }
}
