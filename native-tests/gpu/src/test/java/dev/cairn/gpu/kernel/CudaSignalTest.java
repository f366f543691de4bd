package dev.cairn.gpu.kernel;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Spectra on CUDA against the portable twins. */
class CudaSignalTest {
  private final SplittableRandom random = new SplittableRandom(71);

  private void check(CudaTwins twins, DType dtype, Shape signal, int length, int step, boolean windowed, int bins) {
    TensorView x = TestTensors.random(dtype, signal, random);
    @Nullable
    TensorView window = windowed ? TestTensors.random(dtype, Shape.of(length), random) : null;
    long frames = (signal.extent(1) - length) / step + 1;
    var type = TensorType.of(dtype, signal.extent(0), frames, bins, 2);
    twins.check("STFT", Attributes.NONE.with("onesided", bins == length ? 0 : 1), type, 8L * length, x, TestTensors
      .int64s(step).reshaped(Shape.SCALAR), window, TestTensors.int64s(length).reshaped(Shape.SCALAR));
  }

  @Test
  void framesOfSignals() {
    try (var twins = CudaTwins.open()) {
      for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
        check(twins, dtype, Shape.of(2, 200, 1), 32, 12, true, 17);
        check(twins, dtype, Shape.of(1, 90), 25, 25, false, 13);
        check(twins, dtype, Shape.of(1, 90, 2), 16, 7, true, 16);
      }
      check(twins, DType.FLOAT32, Shape.of(1, 900), 600, 100, true, 301);
    }
  }
}
