package dev.cairn.kernels.cpu.normalization;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code GroupNormalization(x, scale, bias)} of {@code float32}, on images {@code N,H,W,C}; {@code scale} and {@code
 * bias} have a number for each channel. Sums are computed for each channel and each chunk of pixels, and joined in the
 * order of the chunks. Chunks follow from the shape alone, so results have the same bits for any number of threads.
 *
 * <pre>
 * workspace, for all images:   | sums: chunks x channels | factor of each channel | offset of each channel |
 * </pre>
 */
public final class VectorGroupNormalizationNhwc implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  /** Elements of a chunk, about: they fit into the first-level cache. */
  private static final long CHUNK = 1 << 13;
  /** Sums of more elements would lose the last terms. */
  private static final long MOST_PIXELS = 256;
  /** Elements that are worth a second thread. */
  private static final long GRAIN = 2 * CHUNK;

  @Override
  public boolean accepts(KernelSignature signature) {
    return VectorGroupNormalization.isSingle(signature);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    var images = Images.of(signature.input(0).shape());
    return (images.chunks() + 2) * images.count * images.channels * Float.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    if (call.output(0).elementCount() > 0) {
      new Run(call, Images.of(call.input(0).shape())).run();
    }
  }

  /** How many images there are, and how many pixels and channels each has. */
  private record Images(long count, long pixels, long channels) {
    static Images of(Shape shape) {
      return new Images(shape.extent(0), shape.extent(1) * shape.extent(2), shape.extent(3));
    }

    long chunkPixels() {
      return Math.clamp(CHUNK / Math.max(1, channels), 1, MOST_PIXELS);
    }

    /** The workspace is never larger for smaller images, or for fewer channels. */
    long chunks() {
      return Math.ceilDiv(pixels, chunkPixels());
    }

    Chunk chunk(long number) {
      long image = number / chunks();
      long pixel = number % chunks() * chunkPixels();
      return new Chunk(number, image, (image * pixels + pixel) * channels, Math.min(chunkPixels(), pixels - pixel),
        channels);
    }
  }

  /** Neighbouring pixels of one image; {@code at} is the index of their first element. */
  private record Chunk(long number, long image, long at, long pixels, long channels) {
    /** The place of its sums. */
    long sums() {
      return number * channels;
    }

    /** Where its image's means, factors and offsets are. */
    long parameters() {
      return image * channels;
    }
  }

  /** One call. */
  private static final class Run {
    private final KernelCall call;
    private final Images images;
    private final MemorySegment x;
    private final MemorySegment sums;
    private final MemorySegment factors;
    /** The means, until the offsets are known. */
    private final MemorySegment offsets;

    Run(KernelCall call, Images images) {
      this.call = call;
      this.images = images;
      this.x = call.input(0).segment();
      long ofImages = images.count * images.channels * Float.BYTES;
      this.sums = call.workspace().asSlice(0, images.chunks() * ofImages);
      this.factors = call.workspace().asSlice(images.chunks() * ofImages, ofImages);
      this.offsets = call.workspace().asSlice((images.chunks() + 1) * ofImages, ofImages);
    }

    void run() {
      NormalizedGroups form = NormalizedGroups.of(call.attributes());
      long groups = form.groups();
      long size = images.channels / groups;
      double elements = images.pixels * (double) size;
      sum(false);
      for (long group = 0; group < images.count * groups; group++) {
        float mean = (float) (joined(group / groups, group % groups * size, size) / elements);
        for (long channel = group * size; channel < (group + 1) * size; channel++) {
          offsets.set(FLOAT, channel * Float.BYTES, mean);
        }
      }
      sum(true);
      for (long group = 0; group < images.count * groups; group++) {
        double variance = joined(group / groups, group % groups * size, size) / elements;
        finish(group / groups * images.channels, group % groups * size, size, 1 / Math.sqrt(variance + form.epsilon()));
      }
      scale();
    }

    /** The sums of an image's neighbouring channels, over all chunks. */
    private double joined(long image, long channel, long size) {
      double sum = 0;
      for (long chunk = image * images.chunks(); chunk < (image + 1) * images.chunks(); chunk++) {
        for (long at = chunk * images.channels + channel; at < chunk * images.channels + channel + size; at++) {
          sum += sums.get(FLOAT, at * Float.BYTES);
        }
      }
      return sum;
    }

    private void finish(long image, long channel, long size, double inverse) {
      for (long c = channel; c < channel + size; c++) {
        double factor = call.input(1).doubleAt(c) * inverse;
        double mean = offsets.get(FLOAT, (image + c) * Float.BYTES);
        factors.set(FLOAT, (image + c) * Float.BYTES, (float) factor);
        offsets.set(FLOAT, (image + c) * Float.BYTES, (float) (call.input(2).doubleAt(c) - mean * factor));
      }
    }

    /** Sums of elements, or of the squares of their distances from the mean. */
    private void sum(boolean squares) {
      forChunks(chunk -> {
        long whole = images.channels - images.channels % LANES;
        for (long c = 0; c < whole; c += LANES) {
          if (squares) {
            squaresOfLanes(chunk, c, x, offsets, sums);
          } else {
            sumOfLanes(chunk, c, x, sums);
          }
        }
        for (long c = whole; c < images.channels; c++) {
          float mean = squares ? offsets.get(FLOAT, (chunk.parameters() + c) * Float.BYTES) : 0;
          sums.set(FLOAT, (chunk.sums() + c) * Float.BYTES, sumOfChannel(chunk, c, mean, squares));
        }
      });
    }

    private float sumOfChannel(Chunk chunk, long channel, float mean, boolean squares) {
      double sum = 0;
      for (long i = 0; i < chunk.pixels; i++) {
        float distance = x.get(FLOAT, (chunk.at + channel + i * chunk.channels) * Float.BYTES) - mean;
        sum += squares ? distance * distance : distance;
      }
      return (float) sum;
    }

    private void scale() {
      MemorySegment y = call.output(0).segment();
      forChunks(chunk -> {
        long whole = images.channels - images.channels % LANES;
        for (long c = 0; c < whole; c += LANES) {
          scaleLanes(chunk, c, x, y, factors, offsets);
        }
        if (whole < images.channels) {
          scaleRest(chunk, whole, x, y, factors, offsets);
        }
      });
    }

    private void forChunks(Consumer<Chunk> work) {
      long grain = Math.max(1, GRAIN / (images.chunkPixels() * images.channels));
      CpuStream.of(call).parallel(images.count * images.chunks(), grain, (first, end) -> {
        for (long number = first; number < end; number++) {
          work.accept(images.chunk(number));
        }
      });
    }
  }

  /** Two sums under way at a time, since an addition takes several cycles. */
  private static void sumOfLanes(Chunk chunk, long channel, MemorySegment x, MemorySegment sums) {
    // A loop that starts with a vector from a field would allocate objects.
    FloatVector even = FloatVector.zero(SPECIES);
    FloatVector odd = FloatVector.zero(SPECIES);
    long at = chunk.at + channel;
    long step = 2 * chunk.channels;
    long pairs = chunk.pixels / 2;
    for (long i = 0; i < pairs; i++) {
      even = even.add(load(x, at + i * step));
      odd = odd.add(load(x, at + i * step + chunk.channels));
    }
    FloatVector sum = even.add(odd);
    if (2 * pairs == chunk.pixels) {
      store(sum, sums, chunk.sums() + channel);
    } else {
      store(sum.add(load(x, at + pairs * step)), sums, chunk.sums() + channel);
    }
  }

  private static void squaresOfLanes(Chunk chunk, long channel, MemorySegment x, MemorySegment means,
    MemorySegment sums) {
    FloatVector mean = load(means, chunk.parameters() + channel);
    FloatVector even = FloatVector.zero(SPECIES);
    FloatVector odd = FloatVector.zero(SPECIES);
    long at = chunk.at + channel;
    long step = 2 * chunk.channels;
    long pairs = chunk.pixels / 2;
    for (long i = 0; i < pairs; i++) {
      FloatVector one = load(x, at + i * step).sub(mean);
      FloatVector two = load(x, at + i * step + chunk.channels).sub(mean);
      even = one.fma(one, even);
      odd = two.fma(two, odd);
    }
    FloatVector sum = even.add(odd);
    if (2 * pairs == chunk.pixels) {
      store(sum, sums, chunk.sums() + channel);
    } else {
      FloatVector last = load(x, at + pairs * step).sub(mean);
      store(last.fma(last, sum), sums, chunk.sums() + channel);
    }
  }

  private static void scaleLanes(Chunk chunk, long channel, MemorySegment x, MemorySegment y, MemorySegment factors,
    MemorySegment offsets) {
    FloatVector factor = load(factors, chunk.parameters() + channel);
    FloatVector offset = load(offsets, chunk.parameters() + channel);
    long at = chunk.at + channel;
    for (long i = 0; i < chunk.pixels; i++) {
      store(load(x, at + i * chunk.channels).fma(factor, offset), y, at + i * chunk.channels);
    }
  }

  private static void scaleRest(Chunk chunk, long channel, MemorySegment x, MemorySegment y, MemorySegment factors,
    MemorySegment offsets) {
    VectorMask<Float> mask = SPECIES.indexInRange(channel, chunk.channels);
    FloatVector factor = load(factors, chunk.parameters() + channel, mask);
    FloatVector offset = load(offsets, chunk.parameters() + channel, mask);
    long at = chunk.at + channel;
    for (long i = 0; i < chunk.pixels; i++) {
      store(load(x, at + i * chunk.channels, mask).fma(factor, offset), y, at + i * chunk.channels, mask);
    }
  }
}
