package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * Where the bands of a {@code MelWeightMatrix} begin, peak and end: at bins of the spectrum that are equally far from
 * each other on the mel scale, {@code 2595 log10(1 + f / 700)}.
 */
public final class MelBins {
  private static final double SCALE = 2595;
  private static final double CORNER = 700;

  private final int spectrum;
  /** Band i begins, peaks and ends at elements i, i + 1 and i + 2. */
  private final int[] bins;

  private MelBins(int spectrum, int[] bins) {
    this.spectrum = spectrum;
    this.bins = bins;
  }

  /**
   * @param low the frequency at which the first band begins
   * @param high the frequency at which the last band ends
   * @throws IllegalArgumentException if the bands lie outside of the spectrum
   */
  public static MelBins of(TensorView bands, TensorView length, TensorView rate, TensorView low, TensorView high) {
    int count = Math.toIntExact(bands.longAt(0));
    long transform = length.longAt(0);
    if (count < 1 || transform < 1 || rate.longAt(0) < 1) {
      throw new IllegalArgumentException("numbers must be at least 1: num_mel_bins=%d dft_length=%d sample_rate=%d"
        .formatted(count, transform, rate.longAt(0)));
    }
    double first = SCALE * Math.log10(1 + low.doubleAt(0) / CORNER);
    double step = (SCALE * Math.log10(1 + high.doubleAt(0) / CORNER) - first) / (count + 2);
    int[] bins = new int[count + 2];
    for (int i = 0; i < bins.length; i++) {
      double frequency = CORNER * (Math.pow(10, (first + i * step) / SCALE) - 1);
      bins[i] = (int) Math.floor((transform + 1) * frequency / rate.longAt(0));
    }
    int spectrum = Math.toIntExact(transform / 2 + 1);
    if (bins[0] < 0 || Arrays.stream(bins).max().orElse(0) > spectrum) {
      throw new IllegalArgumentException("bands outside of the spectrum: low=%s high=%s sample_rate=%d".formatted(low
        .doubleAt(0), high.doubleAt(0), rate.longAt(0)));
    }
    return new MelBins(spectrum, bins);
  }

  /** How many bins the spectrum has. */
  public int spectrum() {
    return spectrum;
  }

  public int bands() {
    return bins.length - 2;
  }

  /** The weight of a bin of the spectrum in a band. */
  public double weight(int bin, int band) {
    int peak = bins[band + 1];
    if (bin == peak) {
      return 1;
    }
    int end = bins[bin < peak ? band : band + 2];
    boolean inside = bin < peak ? bin >= end : bin < end;
    return inside ? (double) (bin - end) / (peak - end) : 0;
  }
}
