package dev.cairn.kernels.cpu.vector;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The transforms of Winograd's algorithm F(4x4, 3x3), on tiles of images with their channels last. A tile of 6x6 pixels
 * becomes 36 numbers for each channel; their products with the transformed weights become 4x4 pixels of the result.
 * After Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (2016), with the points 0, 1, -1, 2, -2.
 *
 * <p>Addresses are native. An object serves one thread.
 */
public final class WinogradTiles {
  /** Pixels along a side of a tile that is read. */
  public static final int READ = 6;
  /** Pixels along a side of a tile that is written. */
  public static final int WRITTEN = 4;
  /** Channels are multiples of this. */
  public static final int LANES = FloatVector.SPECIES_PREFERRED.length();

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final int STEP = LANES * Float.BYTES;

  private final float[] half = new float[READ * READ * LANES];

  /**
   * Transforms a tile.
   *
   * @param pixels addresses of the tile's pixels, row by row; those in padding are addresses of zeros
   * @param to where the first of the 36 results is written
   * @param stride bytes from one of the 36 results to the next
   */
  public void read(long[] pixels, int channels, long to, long stride) {
    for (long at = 0; at < (long) channels * Float.BYTES; at += STEP) {
      for (int row = 0; row < READ; row++) {
        readRow(pixels, row * READ, at, half);
      }
      for (int column = 0; column < READ; column++) {
        readColumn(half, column * LANES, to + at + column * stride, READ * stride);
      }
    }
  }

  private static void readRow(long[] pixels, int first, long at, float[] to) {
    FloatVector x0 = load(pixels[first] + at);
    FloatVector x1 = load(pixels[first + 1] + at);
    FloatVector x2 = load(pixels[first + 2] + at);
    FloatVector x3 = load(pixels[first + 3] + at);
    FloatVector x4 = load(pixels[first + 4] + at);
    FloatVector x5 = load(pixels[first + 5] + at);
    FloatVector even = x2.mul(-4f).add(x4);
    FloatVector odd = x1.mul(-4f).add(x3);
    FloatVector far = x4.sub(x2);
    FloatVector twice = x3.sub(x1).mul(2f);
    int base = first * LANES;
    x0.mul(4f).add(x2.mul(-5f)).add(x4).intoArray(to, base);
    even.add(odd).intoArray(to, base + LANES);
    even.sub(odd).intoArray(to, base + 2 * LANES);
    far.add(twice).intoArray(to, base + 3 * LANES);
    far.sub(twice).intoArray(to, base + 4 * LANES);
    x1.mul(4f).add(x3.mul(-5f)).add(x5).intoArray(to, base + 5 * LANES);
  }

  private static void readColumn(float[] from, int first, long to, long stride) {
    FloatVector x0 = half(from, first);
    FloatVector x1 = half(from, first + READ * LANES);
    FloatVector x2 = half(from, first + 2 * READ * LANES);
    FloatVector x3 = half(from, first + 3 * READ * LANES);
    FloatVector x4 = half(from, first + 4 * READ * LANES);
    FloatVector x5 = half(from, first + 5 * READ * LANES);
    FloatVector even = x2.mul(-4f).add(x4);
    FloatVector odd = x1.mul(-4f).add(x3);
    FloatVector far = x4.sub(x2);
    FloatVector twice = x3.sub(x1).mul(2f);
    store(x0.mul(4f).add(x2.mul(-5f)).add(x4), to);
    store(even.add(odd), to + stride);
    store(even.sub(odd), to + 2 * stride);
    store(far.add(twice), to + 3 * stride);
    store(far.sub(twice), to + 4 * stride);
    store(x1.mul(4f).add(x3.mul(-5f)).add(x5), to + 5 * stride);
  }

  /**
   * Where a tile of the result lies.
   *
   * @param pixel address of its first pixel
   * @param rowBytes from one row of the image to the next
   * @param rows how many of its rows lie in the image
   * @param columns how many of its columns do
   */
  public record Target(long pixel, long rowBytes, int rows, int columns) {}

  /**
   * Transforms the 36 sums of products of a tile to its pixels, adds the bias, and raises them to the least value.
   *
   * @param from where the first of the 36 lies
   * @param stride bytes from one to the next
   * @param bias address of one number for each channel; 0 for none
   * @param least {@code -∞} keeps all
   */
  public void write(long from, long stride, int channels, long bias, float least, Target target) {
    long pixelBytes = (long) channels * Float.BYTES;
    FloatVector bound = FloatVector.broadcast(SPECIES, least);
    for (long at = 0; at < pixelBytes; at += STEP) {
      for (int row = 0; row < READ; row++) {
        writeRow(from + at + row * READ * stride, stride, half, row * WRITTEN * LANES);
      }
      FloatVector added = bias == 0 ? VectorMath.ZERO : load(bias + at);
      for (int column = 0; column < target.columns; column++) {
        writeColumn(half, column * LANES, added, bound, target, target.pixel + at + column * pixelBytes);
      }
    }
  }

  private static void writeRow(long from, long stride, float[] to, int base) {
    FloatVector x1 = load(from + stride);
    FloatVector x2 = load(from + 2 * stride);
    FloatVector x3 = load(from + 3 * stride);
    FloatVector x4 = load(from + 4 * stride);
    FloatVector near = x1.add(x2);
    FloatVector nearGap = x1.sub(x2);
    FloatVector far = x3.add(x4);
    FloatVector farGap = x3.sub(x4);
    load(from).add(near).add(far).intoArray(to, base);
    farGap.mul(2f).add(nearGap).intoArray(to, base + LANES);
    far.mul(4f).add(near).intoArray(to, base + 2 * LANES);
    farGap.mul(8f).add(nearGap).add(load(from + 5 * stride)).intoArray(to, base + 3 * LANES);
  }

  private static void writeColumn(float[] from, int first, FloatVector bias, FloatVector least, Target target,
    long to) {
    FloatVector x1 = half(from, first + WRITTEN * LANES);
    FloatVector x2 = half(from, first + 2 * WRITTEN * LANES);
    FloatVector x3 = half(from, first + 3 * WRITTEN * LANES);
    FloatVector x4 = half(from, first + 4 * WRITTEN * LANES);
    FloatVector near = x1.add(x2);
    FloatVector nearGap = x1.sub(x2);
    FloatVector far = x3.add(x4);
    FloatVector farGap = x3.sub(x4);
    long rowBytes = target.rowBytes;
    storeAtLeast(least, half(from, first).add(near).add(far).add(bias), to);
    if (target.rows > 1) {
      storeAtLeast(least, farGap.mul(2f).add(nearGap).add(bias), to + rowBytes);
    }
    if (target.rows > 2) {
      storeAtLeast(least, far.mul(4f).add(near).add(bias), to + 2 * rowBytes);
    }
    if (target.rows > 3) {
      FloatVector last = half(from, first + 5 * WRITTEN * LANES);
      storeAtLeast(least, farGap.mul(8f).add(nearGap).add(last).add(bias), to + 3 * rowBytes);
    }
  }

  private static FloatVector half(float[] from, int at) {
    return FloatVector.fromArray(SPECIES, from, at);
  }

  private static FloatVector load(long address) {
    return FloatVector.fromMemorySegment(SPECIES, MEMORY, address, ByteOrder.nativeOrder());
  }

  /** Keeps what is no number. */
  private static void storeAtLeast(FloatVector least, FloatVector vector, long address) {
    store(vector.blend(least, vector.compare(VectorOperators.LT, least)), address);
  }

  private static void store(FloatVector vector, long address) {
    vector.intoMemorySegment(MEMORY, address, ByteOrder.nativeOrder());
  }
}
