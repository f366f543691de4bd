package dev.cairn.gpu.kernel;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.PointwiseCase;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Generated kernels against the portable kernels of their steps. Each case compiles a source: there are few. */
class CudaFusedTest {
  private static final int CASES = 6;
  private static final int CASES_OF_A_SOAK = 150;
  private static CudaTwins twins;

  @BeforeAll
  static void open() {
    twins = CudaTwins.open();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  @Test
  void exactStepsGiveTheBitsOfThePortableKernels() {
    checkExact(CASES);
  }

  @Test
  @Tag("soak")
  void exactStepsGiveTheBitsOfThePortableKernelsForLong() {
    checkExact(CASES_OF_A_SOAK);
  }

  private static void checkExact(int cases) {
    try (var runner = new KernelRunner(KernelRunner.portable(ElementwiseKernels.ROWS), 1)) {
      for (int seed = 0; seed < cases; seed++) {
        PointwiseCase it = PointwiseCase.of(seed, true);
        List<TensorView> expected = it.unfused(runner);
        List<TensorView> actual = twins.run(PointwiseProgram.OPERATOR, it.program().attributes(), it.outputTypes(), it
          .inputs().toArray(TensorView[]::new));
        for (int i = 0; i < expected.size(); i++) {
          KernelRunner.checkNumbers("seed %d result %d of %s".formatted(seed, i, it.program()), expected.get(i), actual
            .get(i));
        }
      }
    }
  }
}
