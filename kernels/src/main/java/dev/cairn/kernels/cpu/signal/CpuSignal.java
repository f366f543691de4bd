package dev.cairn.kernels.cpu.signal;

import dev.cairn.kernels.attribute.MelBins;
import dev.cairn.kernels.attribute.TransformedAxis;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.signal.FourierTransform.Complex;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** Spectra of signals: {@code DFT}, {@code STFT}, {@code MelWeightMatrix}. Complex numbers are pairs. */
public final class CpuSignal {
  private CpuSignal() {}

  /** {@code DFT(x, length?, axis?)} along an axis, whose elements are cut or filled up with zeros to the length. */
  public static void transform(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    TransformedAxis axis = TransformedAxis.of(call.attributes(), x.shape(), call.has(1) ? call.input(1) : null, call
      .has(2) ? call.input(2) : null);
    if (y.elementCount() == 0) {
      return;
    }
    int parts = Math.toIntExact(x.shape().extent(-1));
    int results = Math.toIntExact(y.shape().extent(-1));
    long inner = x.shape().elementCount(axis.axis() + 1, x.shape().rank() - 1);
    long outer = x.shape().elementCount(0, axis.axis());
    int given = Math.toIntExact(x.shape().extent(axis.axis()));
    int made = Math.toIntExact(y.shape().extent(axis.axis()));
    var transform = new FourierTransform(axis.length());
    CpuStream.of(call).parallel(outer * inner, 1, (first, end) -> {
      for (long line = first; line < end; line++) {
        Complex all = Complex.zeros(axis.length());
        for (int i = 0; i < Math.min(given, axis.length()); i++) {
          read(x, (line / inner * given + i) * inner + line % inner, parts, all, i);
        }
        if (axis.isHalf()) {
          mirror(all);
        }
        Complex spectrum = transform.apply(all, axis.inverse());
        for (int i = 0; i < made; i++) {
          write(spectrum, i, y, (line / inner * made + i) * inner + line % inner, results);
        }
      }
    });
  }

  /** The second half of the spectrum of a real signal: the conjugates of the first one, backwards. */
  private static void mirror(Complex half) {
    int length = half.real.length;
    for (int i = length / 2 + 1; i < length; i++) {
      half.real[i] = half.real[length - i];
      half.imaginary[i] = -half.imaginary[length - i];
    }
  }

  private static void read(TensorView from, long index, int parts, Complex to, int at) {
    to.real[at] = from.doubleAt(index * parts);
    to.imaginary[at] = parts > 1 ? from.doubleAt(index * parts + 1) : 0;
  }

  private static void write(Complex from, int at, TensorView to, long index, int parts) {
    Elements.write(parts > 1 ? new double[] {from.real[at], from.imaginary[at]} : new double[] {from.real[at]},
      to,
      index * parts, parts);
  }

  /** {@code STFT(signal, step, window?, length?)}: the spectra of frames, which are multiplied with the window. */
  public static void frames(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    Shape shape = y.shape();
    long step = call.input(1).longAt(0);
    int length = Math.toIntExact(call.has(2) ? call.input(2).elementCount() : call.input(3).longAt(0));
    int parts = x.shape().rank() < 3 ? 1 : Math.toIntExact(x.shape().extent(2));
    double[] window = new double[length];
    for (int i = 0; i < length; i++) {
      window[i] = call.has(2) ? call.input(2).doubleAt(i) : 1;
    }
    int bins = Math.toIntExact(shape.extent(2));
    var transform = new FourierTransform(length);
    CpuStream.of(call).parallel(shape.extent(0) * shape.extent(1), 1, (first, end) -> {
      for (long frame = first; frame < end; frame++) {
        long start = frame / shape.extent(1) * x.shape().extent(1) + frame % shape.extent(1) * step;
        Complex all = Complex.zeros(length);
        for (int i = 0; i < length; i++) {
          read(x, start + i, parts, all, i);
          all.real[i] *= window[i];
          all.imaginary[i] *= window[i];
        }
        Complex spectrum = transform.apply(all, false);
        for (int i = 0; i < bins; i++) {
          write(spectrum, i, y, frame * bins + i, 2);
        }
      }
    });
  }

  /**
   * {@code MelWeightMatrix(bins, length, rate, low, high)}: triangles between neighbours of {@link MelBins}, with a
   * peak of 1.
   */
  public static void melWeights(KernelCall call) {
    TensorView y = call.output(0);
    MelBins mel = MelBins.of(call.input(0), call.input(1), call.input(2), call.input(3), call.input(4));
    int columns = mel.bands();
    double[] row = new double[columns];
    for (int bin = 0; bin < mel.spectrum(); bin++) {
      for (int band = 0; band < columns; band++) {
        row[band] = mel.weight(bin, band);
      }
      if (y.dtype().isFloat()) {
        Elements.write(row, y, (long) bin * columns, columns);
      } else {
        long[] whole = new long[columns];
        for (int band = 0; band < columns; band++) {
          whole[band] = (long) row[band];
        }
        Elements.write(whole, y, (long) bin * columns, columns);
      }
    }
  }
}
