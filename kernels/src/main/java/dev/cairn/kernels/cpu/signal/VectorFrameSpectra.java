package dev.cairn.kernels.cpu.signal;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * {@code STFT(signal, step, window)} of real signals of {@code float32} with short frames: products with the matrix of
 * the transform, in {@code double}. For short frames that is faster than a fast transform.
 */
public final class VectorFrameSpectra implements Kernel {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int WINDOW = 2;
  /** The longest frame: its matrix has 4 MiB at most. */
  private static final int SHORT = 512;
  /** Frames that are multiplied together. */
  private static final int ABREAST = 4;
  private static final long GRAIN_TERMS = 1 << 20;

  private final @Nullable Matrix planned;

  /**
   * A row for each element of a frame: its factors in the real and imaginary parts of each bin.
   *
   * @param width numbers in a row, filled up to two whole vectors
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Matrix(int length, int bins, int width, double[] factors) {
    static Matrix of(int length, int bins) {
      double[] cos = new double[length];
      double[] sin = new double[length];
      for (int i = 0; i < length; i++) {
        cos[i] = Math.cos(2 * Math.PI * i / length);
        sin[i] = Math.sin(2 * Math.PI * i / length);
      }
      int width = Math.ceilDiv(bins, LANES) * 2 * LANES;
      double[] factors = new double[length * width];
      for (int i = 0; i < length; i++) {
        for (int bin = 0; bin < bins; bin++) {
          factors[i * width + 2 * bin] = cos[i * bin % length];
          factors[i * width + 2 * bin + 1] = -sin[i * bin % length];
        }
      }
      return new Matrix(length, bins, width, factors);
    }

    /** The spectra of {@link #ABREAST} frames, element by element: numbers {@code first} and on of each. */
    void multiply(double[] frames, int first, double[] sums) {
      DoubleVector a0 = DoubleVector.zero(SPECIES), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
      for (int i = 0; i < length; i++) {
        DoubleVector left = DoubleVector.fromArray(SPECIES, factors, i * width + first);
        DoubleVector right = DoubleVector.fromArray(SPECIES, factors, i * width + first + LANES);
        DoubleVector x = DoubleVector.broadcast(SPECIES, frames[i * ABREAST]);
        a0 = left.fma(x, a0);
        a1 = right.fma(x, a1);
        x = DoubleVector.broadcast(SPECIES, frames[i * ABREAST + 1]);
        b0 = left.fma(x, b0);
        b1 = right.fma(x, b1);
        x = DoubleVector.broadcast(SPECIES, frames[i * ABREAST + 2]);
        c0 = left.fma(x, c0);
        c1 = right.fma(x, c1);
        x = DoubleVector.broadcast(SPECIES, frames[i * ABREAST + 3]);
        d0 = left.fma(x, d0);
        d1 = right.fma(x, d1);
      }
      a0.intoArray(sums, first);
      a1.intoArray(sums, first + LANES);
      b0.intoArray(sums, width + first);
      b1.intoArray(sums, width + first + LANES);
      c0.intoArray(sums, 2 * width + first);
      c1.intoArray(sums, 2 * width + first + LANES);
      d0.intoArray(sums, 3 * width + first);
      d1.intoArray(sums, 3 * width + first + LANES);
    }
  }

  public VectorFrameSpectra() {
    this(null);
  }

  private VectorFrameSpectra(@Nullable Matrix planned) {
    this.planned = planned;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape signal = signature.input(0).shape();
    return signature.has(WINDOW) && signature.input(WINDOW).dtype() == DType.FLOAT32 && signature.input(WINDOW)
      .shape().elementCount() <= SHORT && (signal.rank() == 2 || signal.extent(2) == 1);
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return new PlannedKernel(new VectorFrameSpectra(matrix(signature.input(WINDOW).shape(), signature.output(0)
      .shape())), Map.of());
  }

  private Matrix matrix(Shape window, Shape spectra) {
    return planned != null
      ? planned
      : Matrix.of(Math.toIntExact(window.elementCount()), Math.toIntExact(spectra.extent(2)));
  }

  @Override
  public void run(KernelCall call) {
    Shape spectra = call.output(0).shape();
    Matrix matrix = matrix(call.input(WINDOW).shape(), spectra);
    long frames = spectra.elementCount(0, 2);
    long grain = Math.max(1, GRAIN_TERMS / Math.max(1, ABREAST * matrix.factors.length));
    CpuStream.of(call).parallel(Math.ceilDiv(frames, ABREAST), grain, (first, end) -> {
      double[] some = new double[ABREAST * matrix.length];
      double[] sums = new double[ABREAST * matrix.width];
      for (long frame = first * ABREAST; frame < Math.min(frames, end * ABREAST); frame += ABREAST) {
        int count = (int) Math.min(ABREAST, frames - frame);
        for (int i = 0; i < count; i++) {
          read(call, frame + i, matrix.length, some, i);
        }
        for (int column = 0; column < matrix.width; column += 2 * LANES) {
          matrix.multiply(some, column, sums);
        }
        for (int i = 0; i < count; i++) {
          write(sums, i * matrix.width, call.output(0).segment(), (frame + i) * 2 * matrix.bins, 2 * matrix.bins);
        }
      }
    });
  }

  /** One frame times the window, between the elements of others. */
  private static void read(KernelCall call, long frame, int length, double[] to, int place) {
    long frames = call.output(0).shape().extent(1);
    long start = frame / frames * call.input(0).shape().extent(1) + frame % frames * call.input(1).longAt(0);
    MemorySegment x = call.input(0).segment();
    MemorySegment window = call.input(WINDOW).segment();
    for (int i = 0; i < length; i++) {
      double factor = window.get(FLOAT, (long) i * Float.BYTES);
      to[i * ABREAST + place] = x.get(FLOAT, (start + i) * Float.BYTES) * factor;
    }
  }

  private static void write(double[] from, int first, MemorySegment to, long at, int count) {
    for (int i = 0; i < count; i++) {
      to.set(FLOAT, (at + i) * Float.BYTES, (float) from[first + i]);
    }
  }
}
