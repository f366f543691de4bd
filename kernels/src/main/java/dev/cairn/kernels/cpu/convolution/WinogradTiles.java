package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.cpu.vector.VectorMath;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The transforms of Winograd's algorithm F(4x4, 3x3), on tiles of images with their channels last. A tile of 6x6 pixels
 * becomes 36 numbers for each channel; their products with the transformed weights become 4x4 pixels of the result.
 * After Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks" (2016), with the points 0, ±√½ and ±√2:
 * rounding errors are a third of those with 0, ±1 and ±2.
 *
 * <p>Addresses are native. An object serves one thread.
 *
 * <p>{@link #read} and {@link #write} are longer than what HotSpot inlines (325 bytes of bytecode), and have one
 * transform each, for rows and columns. Inlined into their callers, their vector operations would exceed what one
 * compilation may have, and the last ones would make objects.
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
  /** Bytes of memory that each thread needs. */
  public static final int SCRATCH = (READ * READ + 4) * LANES * Float.BYTES;
  private static final float ROOT = (float) Math.sqrt(2);
  private static final float HALF_ROOT = (float) Math.sqrt(0.5);
  private static final long STEP = (long) LANES * Float.BYTES;

  private static final int POINTS = READ * READ;

  private final long half;
  /** Addresses of vectors: of zeros, of numbers below all others, of the least result, and of bytes never read. */
  private final long zeros;
  private final long lowest;
  private final long least;
  private final long unread;
  /** Addresses of the pixels of a tile, row by row, then of the transformed rows, column by column. */
  private final long[] sources = new long[2 * POINTS];
  /** Where a line of results is written. */
  private final long[] targets = new long[WRITTEN];

  /**
   * @param scratch address of {@link #SCRATCH} bytes, aligned to a vector
   * @param bound results are raised to it; {@code -∞} keeps all
   */
  public WinogradTiles(long scratch, float bound) {
    half = scratch;
    zeros = half + POINTS * STEP;
    lowest = zeros + STEP;
    least = lowest + STEP;
    unread = least + STEP;
    store(VectorMath.ZERO, zeros);
    store(FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY), lowest);
    store(FloatVector.broadcast(SPECIES, bound), least);
    for (int i = 0; i < POINTS; i++) {
      sources[POINTS + i] = half + (i % READ * READ + i / READ) * STEP;
    }
  }

  /** Says where a pixel of the next tile lies; zeros, where it is in padding. */
  public void setPixel(int number, long address) {
    sources[number] = address;
  }

  /**
   * Transforms a tile.
   *
   * @param to where the first of the 36 results is written
   * @param stride bytes from one of the 36 results to the next
   */
  public void read(int channels, long to, long stride) {
    for (long at = 0; at < (long) channels * Float.BYTES; at += STEP) {
      for (int line = 0; line < 2 * READ; line++) {
        boolean isRow = line < READ;
        int first = line * READ;
        long from = isRow ? at : 0;
        long target = isRow ? half + (long) first * STEP : to + at + (line - READ) * stride;
        long apart = isRow ? STEP : READ * stride;
        FloatVector x0 = load(sources[first] + from);
        FloatVector x1 = load(sources[first + 1] + from);
        FloatVector x2 = load(sources[first + 2] + from);
        FloatVector x3 = load(sources[first + 3] + from);
        FloatVector x4 = load(sources[first + 4] + from);
        FloatVector x5 = load(sources[first + 5] + from);
        FloatVector nearEven = x4.sub(x2.mul(2f));
        FloatVector nearOdd = x3.mul(HALF_ROOT).sub(x1.mul(ROOT));
        FloatVector farEven = x4.sub(x2.mul(0.5f));
        FloatVector farOdd = x3.mul(ROOT).sub(x1.mul(HALF_ROOT));
        store(x0.add(x4).sub(x2.mul(2.5f)), target);
        store(nearEven.add(nearOdd), target + apart);
        store(nearEven.sub(nearOdd), target + 2 * apart);
        store(farEven.add(farOdd), target + 3 * apart);
        store(farEven.sub(farOdd), target + 4 * apart);
        store(x1.add(x5).sub(x3.mul(2.5f)), target + 5 * apart);
      }
    }
  }

  /**
   * The place of a tile of the result.
   *
   * @param pixel address of its first pixel
   * @param rowBytes from one row of the image to the next
   * @param rows how many of its rows lie in the image
   * @param columns how many of its columns do
   */
  public record Target(long pixel, long rowBytes, int rows, int columns) {}

  /**
   * Transforms the 36 sums of products of a tile to its pixels, and adds the bias.
   *
   * @param from where the first of the 36 lies
   * @param stride bytes from one to the next
   * @param bias address of one number for each channel; 0 for none
   */
  public void write(long from, long stride, int channels, long bias, Target target) {
    long pixelBytes = (long) channels * Float.BYTES;
    for (long at = 0; at < pixelBytes; at += STEP) {
      for (int line = 0; line < READ + target.columns; line++) {
        boolean isRow = line < READ;
        int column = line - READ;
        if (isRow) {
          place(half + (long) line * WRITTEN * STEP, STEP, WRITTEN);
        } else {
          place(target.pixel + at + column * pixelBytes, target.rowBytes, target.rows);
        }
        long source = isRow ? from + at + (long) line * READ * stride : half + column * STEP;
        long apart = isRow ? stride : WRITTEN * STEP;
        FloatVector x1 = load(source + apart);
        FloatVector x2 = load(source + 2 * apart);
        FloatVector x3 = load(source + 3 * apart);
        FloatVector x4 = load(source + 4 * apart);
        FloatVector added = load(isRow || bias == 0 ? zeros : bias + at);
        FloatVector lower = load(isRow ? lowest : least);
        FloatVector near = x1.add(x2);
        FloatVector nearGap = x1.sub(x2);
        FloatVector far = x3.add(x4);
        FloatVector farGap = x3.sub(x4);
        storeAtLeast(lower, load(source).add(near).add(far).add(added), targets[0]);
        storeAtLeast(lower, farGap.mul(ROOT).add(nearGap.mul(HALF_ROOT)).add(added), targets[1]);
        storeAtLeast(lower, far.mul(2f).add(near.mul(0.5f)).add(added), targets[2]);
        storeAtLeast(lower, farGap.mul(2 * ROOT).add(nearGap.mul(HALF_ROOT / 2)).add(load(source + 5 * apart)).add(
          added), targets[3]);
      }
    }
  }

  private void place(long first, long stride, int count) {
    for (int i = 0; i < WRITTEN; i++) {
      targets[i] = i < count ? first + i * stride : unread;
    }
  }

  private static FloatVector load(long address) {
    return FloatVector.fromMemorySegment(SPECIES, MEMORY, address, ByteOrder.nativeOrder());
  }

  /** Keeps NaN. */
  private static void storeAtLeast(FloatVector least, FloatVector vector, long address) {
    store(vector.blend(least, vector.compare(VectorOperators.LT, least)), address);
  }

  private static void store(FloatVector vector, long address) {
    vector.intoMemorySegment(MEMORY, address, ByteOrder.nativeOrder());
  }
}
