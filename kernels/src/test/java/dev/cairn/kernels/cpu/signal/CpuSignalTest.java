package dev.cairn.kernels.cpu.signal;

import static dev.cairn.kernels.ByHand.floats;
import static dev.cairn.kernels.ByHand.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.signal.FourierTransform.Complex;
import dev.cairn.kernels.row.SignalKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Spectra against their definition. */
class CpuSignalTest implements Rounds {
  private final SplittableRandom random = new SplittableRandom(3);

  /** Primes, also large ones, powers, and products of different factors. */
  @Test
  void everyLengthIsTransformedAsDefined() {
    for (int length : some(1, 2, 3, 4, 5, 7, 8, 12, 16, 25, 61, 67, 100, 131, 400, 402)) {
      var x = new Complex(random.doubles(length, -1, 1).toArray(), random.doubles(length, -1, 1).toArray());
      Complex y = new FourierTransform(length).apply(x, false);
      for (int k = 0; k < length; k++) {
        double real = 0;
        double imaginary = 0;
        for (int j = 0; j < length; j++) {
          double angle = -2 * Math.PI * ((long) j * k % length) / length;
          real += x.real[j] * Math.cos(angle) - x.imaginary[j] * Math.sin(angle);
          imaginary += x.real[j] * Math.sin(angle) + x.imaginary[j] * Math.cos(angle);
        }
        assertThat(y.real[k]).as("real %d of %d", k, length).isCloseTo(real, Offset.offset(1e-11));
        assertThat(y.imaginary[k]).as("imaginary %d of %d", k, length).isCloseTo(imaginary, Offset.offset(1e-11));
      }
      Complex back = new FourierTransform(length).apply(y, true);
      assertThat(back.real).containsExactly(x.real, Offset.offset(1e-12));
      assertThat(back.imaginary).containsExactly(x.imaginary, Offset.offset(1e-12));
    }
  }

  @Test
  void aTransformCutsOrFillsItsAxis() {
    TensorView x = floats(1, 2, 3).reshaped(Shape.of(3, 1));
    TensorView two = TestTensors.ofLongs(DType.INT64, Shape.SCALAR, 2);
    double[] cut = TestTensors.doubles(run("DFT", Attributes.NONE, TensorType.of(DType.FLOAT32, 2, 2), x, two));
    assertThat(cut).containsExactly(new double[] {3, 0, -1, 0}, Offset.offset(1e-6));
    double[] filled = TestTensors.doubles(run("DFT", Attributes.NONE, TensorType.of(DType.FLOAT32, 4, 2), x, TestTensors
      .ofLongs(DType.INT64, Shape.SCALAR, 4)));
    assertThat(filled).containsExactly(new double[] {6, 0, -2, -2, 2, 0, -2, 2}, Offset.offset(1e-6));
  }

  @Test
  void halfASpectrumIsThatOfARealSignal() {
    for (int length : new int[] {1, 2, 5, 8, 9}) {
      TensorView x = TestTensors.random(DType.FLOAT64, Shape.of(2, length, 3, 1), random);
      Attributes half = Attributes.NONE.with("onesided", 1);
      TensorView axis = TestTensors.ofLongs(DType.INT64, Shape.SCALAR, 1);
      TensorView spectrum = run("DFT", half, TensorType.of(DType.FLOAT64, 2, length / 2 + 1, 3, 2), x, null, axis);
      TensorView whole = run("DFT", Attributes.NONE, TensorType.of(DType.FLOAT64, 2, length, 3, 2), x, null, axis);
      assertThat(spectrum.doubleAt(0)).isEqualTo(whole.doubleAt(0));
      TensorView back = run("DFT", half.with("inverse", 1), x.type(), spectrum, TestTensors.ofLongs(DType.INT64,
        Shape.SCALAR, length), axis);
      Tolerance.of(DType.FLOAT64, 64).check("length " + length, x, back);
    }
  }

  @Test
  void framesAreTransformedUnderTheirWindow() {
    TensorView signal = floats(1, 2, 3, 4, 5, 6).reshaped(Shape.of(1, 6, 1));
    TensorView step = TestTensors.ofLongs(DType.INT64, Shape.SCALAR, 2);
    double[] given = TestTensors.doubles(run("STFT", Attributes.NONE, TensorType.of(DType.FLOAT32, 1, 2, 2, 2), signal,
      step, floats(1, 2, 1)));
    double sine = Math.sqrt(3) / 2;
    assertThat(given).containsExactly(new double[] {8, 0, 1 - 2 - 1.5, -sine * (4 - 3), 16, 0, 3 - 4 - 2.5, -sine * (8
      - 5)}, Offset.offset(1e-5));
  }

  @Test
  void shortFramesAreTheirTwin() {
    for (int round = 0; round < rounds(12); round++) {
      int length = new int[] {1, 2, 5, 16, 31, 64, 400, 513}[random.nextInt(8)];
      int batch = 1 + random.nextInt(2);
      int frames = 1 + random.nextInt(9);
      int hop = 1 + random.nextInt(7);
      int bins = random.nextBoolean() ? length : length / 2 + 1;
      TensorView signal = TestTensors.random(DType.FLOAT32, Shape.of(batch, length + (frames - 1L) * hop, 1), random);
      TensorView window = TestTensors.random(DType.FLOAT32, Shape.of(length), random);
      KernelRunner.checkTwins(SignalKernels.ROWS, "STFT", Attributes.NONE.with("onesided", bins < length ? 1 : 0), List
        .of(TensorType.of(DType.FLOAT32, batch, frames, bins, 2)), 16, signal, whole(hop), window);
    }
  }

  @Test
  void bandsAreTriangles() {
    TensorView[] inputs = {whole(8), whole(64), whole(8192), floats(0).reshaped(Shape.SCALAR), floats(4096).reshaped(
      Shape.SCALAR)};
    TensorView y = run("MelWeightMatrix", Attributes.NONE, TensorType.of(DType.FLOAT32, 33, 8), inputs);
    // The last band begins at bin 15, peaks at 20 and ends at 25.
    for (int bin = 0; bin < 33; bin++) {
      double wanted = Math.max(0, 1 - Math.abs(bin - 20) / 5.0);
      assertThat(y.doubleAt(bin * 8L + 7)).as("bin %d", bin).isCloseTo(wanted, Offset.offset(1e-6));
    }
  }

  private static TensorView whole(long value) {
    return TestTensors.ofLongs(DType.INT64, Shape.SCALAR, value);
  }
}
