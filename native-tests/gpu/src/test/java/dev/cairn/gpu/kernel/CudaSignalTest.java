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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spectra on CUDA against the portable twins. */
class CudaSignalTest {
  private final SplittableRandom random = new SplittableRandom(71);

  /** @param bins as many as elements for the whole spectrum of each frame, else the first half */
  private void check(CudaTwins twins, TensorType signal, int length, int step, int bins) {
    TensorView x = TestTensors.random(signal.dtype(), signal.shape(), random);
    @Nullable
    TensorView window = step < length ? TestTensors.random(signal.dtype(), Shape.of(length), random) : null;
    long frames = (signal.shape().extent(1) - length) / step + 1;
    var type = TensorType.of(signal.dtype(), signal.shape().extent(0), frames, bins, 2);
    twins.check("STFT", Attributes.NONE.with("onesided", bins == length ? 0 : 1), type, 8L * length, x, TestTensors
      .int64s(step).reshaped(Shape.SCALAR), window, TestTensors.int64s(length).reshaped(Shape.SCALAR));
  }

  @Test
  void framesOfSignals() {
    checkFrames(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void framesOfSignalsInOtherTypes() {
    checkFrames(List.of(DType.FLOAT64, DType.FLOAT16));
  }

  private void checkFrames(List<DType> dtypes) {
    try (var twins = CudaTwins.open()) {
      for (DType dtype : dtypes) {
        check(twins, TensorType.of(dtype, 2, 200, 1), 32, 12, 17);
        check(twins, TensorType.of(dtype, 1, 90), 25, 25, 13);
        check(twins, TensorType.of(dtype, 1, 90, 2), 16, 7, 16);
      }
      check(twins, TensorType.of(DType.FLOAT32, 1, 900), 600, 100, 301);
    }
  }
}
