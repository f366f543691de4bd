package dev.cairn.kernels.cpu.signal;

/**
 * The discrete Fourier transform of a fixed length, in {@code double}: a mixed-radix transform after J. Cooley and J.
 * Tukey (1965). Lengths with a large prime factor are convolutions of a longer power of two, after L. Bluestein (1970).
 * Immutable.
 */
final class FourierTransform {
  private static final int LARGE_PRIME = 64;

  private final int length;
  private final double[] cos;
  private final double[] sin;

  /** Complex numbers. */
  static final class Complex {
    final double[] real;
    final double[] imaginary;

    Complex(double[] real, double[] imaginary) {
      this.real = real;
      this.imaginary = imaginary;
    }

    static Complex zeros(int count) {
      return new Complex(new double[count], new double[count]);
    }

    /** The imaginary parts as real ones, and the other way round. */
    Complex exchanged() {
      double[] first = imaginary;
      return new Complex(first, real);
    }
  }

  FourierTransform(int length) {
    this.length = length;
    this.cos = new double[length];
    this.sin = new double[length];
    for (int i = 0; i < length; i++) {
      cos[i] = Math.cos(2 * Math.PI * i / length);
      sin[i] = Math.sin(2 * Math.PI * i / length);
    }
  }

  /**
   * {@code y[k]}, the sum of {@code x[j] e^(-2 pi i j k / length)}; with {@code inverse}, of the conjugate factors, and
   * divided by the length.
   */
  Complex apply(Complex x, boolean inverse) {
    if (inverse) {
      // The inverse is the transform with real and imaginary parts exchanged, before and after.
      Complex turned = forward(x.exchanged());
      for (int i = 0; i < length; i++) {
        turned.real[i] /= length;
        turned.imaginary[i] /= length;
      }
      return turned.exchanged();
    }
    return forward(x);
  }

  private Complex forward(Complex x) {
    if (largestFactor(length) > LARGE_PRIME) {
      return convolved(x);
    }
    Complex y = Complex.zeros(length);
    transform(x, 0, 1, y, 0, length);
    return y;
  }

  private static int smallestFactor(int number) {
    for (int factor = 2; factor * factor <= number; factor++) {
      if (number % factor == 0) {
        return factor;
      }
    }
    return number;
  }

  private static int largestFactor(int number) {
    int rest = number;
    int largest = 1;
    while (rest > 1) {
      int factor = smallestFactor(rest);
      largest = Math.max(largest, factor);
      rest /= factor;
    }
    return largest;
  }

  /** Transforms {@code count} elements of x, {@code step} apart, to neighbours in y. */
  private void transform(Complex x, int from, int step, Complex y, int to, int count) {
    if (count == 1) {
      y.real[to] = x.real[from];
      y.imaginary[to] = x.imaginary[from];
      return;
    }
    int radix = smallestFactor(count);
    int part = count / radix;
    for (int i = 0; i < radix; i++) {
      transform(x, from + i * step, step * radix, y, to + i * part, part);
    }
    double[] real = new double[radix];
    double[] imaginary = new double[radix];
    for (int k = 0; k < part; k++) {
      for (int i = 0; i < radix; i++) {
        int at = to + i * part + k;
        int turn = i * k * step;
        real[i] = y.real[at] * cos[turn] + y.imaginary[at] * sin[turn];
        imaginary[i] = y.imaginary[at] * cos[turn] - y.real[at] * sin[turn];
      }
      join(real, imaginary, y, to + k, part);
    }
  }

  /** A direct transform of a few elements, to places {@code part} apart. */
  private void join(double[] real, double[] imaginary, Complex y, int to, int part) {
    int turn = length / real.length;
    for (int k = 0; k < real.length; k++) {
      double sumReal = 0;
      double sumImaginary = 0;
      for (int i = 0; i < real.length; i++) {
        int at = i * k % real.length * turn;
        sumReal += real[i] * cos[at] + imaginary[i] * sin[at];
        sumImaginary += imaginary[i] * cos[at] - real[i] * sin[at];
      }
      y.real[to + k * part] = sumReal;
      y.imaginary[to + k * part] = sumImaginary;
    }
  }

  /** {@code jk = (j^2 + k^2 - (k - j)^2) / 2} makes the sum a convolution with {@code e^(pi i j^2 / length)}. */
  private Complex convolved(Complex x) {
    int wide = Integer.highestOneBit(2 * length) * 2;
    var long2 = new FourierTransform(wide);
    Complex chirp = Complex.zeros(wide);
    Complex padded = Complex.zeros(wide);
    for (int j = 0; j < length; j++) {
      double angle = Math.PI * ((long) j * j % (2L * length)) / length;
      chirp.real[j] = Math.cos(angle);
      chirp.imaginary[j] = Math.sin(angle);
      chirp.real[(wide - j) % wide] = chirp.real[j];
      chirp.imaginary[(wide - j) % wide] = chirp.imaginary[j];
      padded.real[j] = x.real[j] * chirp.real[j] + x.imaginary[j] * chirp.imaginary[j];
      padded.imaginary[j] = x.imaginary[j] * chirp.real[j] - x.real[j] * chirp.imaginary[j];
    }
    Complex a = long2.apply(padded, false);
    Complex b = long2.apply(chirp, false);
    Complex product = Complex.zeros(wide);
    for (int i = 0; i < wide; i++) {
      product.real[i] = a.real[i] * b.real[i] - a.imaginary[i] * b.imaginary[i];
      product.imaginary[i] = a.real[i] * b.imaginary[i] + a.imaginary[i] * b.real[i];
    }
    Complex sums = long2.apply(product, true);
    Complex y = Complex.zeros(length);
    for (int k = 0; k < length; k++) {
      y.real[k] = sums.real[k] * chirp.real[k] + sums.imaginary[k] * chirp.imaginary[k];
      y.imaginary[k] = sums.imaginary[k] * chirp.real[k] - sums.real[k] * chirp.imaginary[k];
    }
    return y;
  }
}
