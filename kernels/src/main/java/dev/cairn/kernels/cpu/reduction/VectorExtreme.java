package dev.cairn.kernels.cpu.reduction;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code ReduceMax} and {@code ReduceMin} of {@code float32}, where the reduced axes are neighbours: the trailing ones,
 * or some before kept ones. The least number is the greatest of all turned over. Other calls go to the portable twin.
 */
public final class VectorExtreme implements Kernel {
  private static final long PART = 1 << 15;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final FloatVector LEAST = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);

  private final FloatVector turn;
  private final float sign;
  private final Kernel portable;

  /** @param greatest whether the greatest element is looked for, or the least one */
  public VectorExtreme(boolean greatest) {
    this.sign = greatest ? 1 : -1;
    this.turn = FloatVector.broadcast(SPECIES, sign);
    this.portable = new CpuReduce(greatest ? Reduction.MAX : Reduction.MIN);
  }

  /** One number a part; a row that has several is longer than one, so there are fewer than twice the whole parts. */
  @Override
  public long workspaceBytes(KernelSignature signature) {
    return 2 * Math.ceilDiv(signature.input(0).shape().elementCount(), PART) * Float.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    var axes = ReducedAxes.of(call);
    int last = axes.rank() - 1;
    boolean ofRows = (last == 0 || last == 1) && axes.reduces(last);
    boolean ofColumns = (last == 1 || last == 2) && !axes.reduces(last) && axes.extent(last) >= LANES;
    if (call.input(0).elementCount() == 0 || (!ofRows && !ofColumns)) {
      portable.run(call);
    } else if (ofColumns) {
      reduceColumns(call, axes.reducedCount(), axes.extent(last));
    } else {
      reduceRows(call, axes.reducedCount());
    }
  }

  /** A long row is reduced in parts, which threads share. */
  private void reduceRows(KernelCall call, long length) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    long rows = call.output(0).elementCount();
    long parts = Math.ceilDiv(length, PART);
    MemorySegment results = parts == 1 ? y : call.workspace();
    CpuStream.of(call).parallel(rows * parts, Math.max(1, PART / Math.min(PART, length)), (first, end) -> {
      for (long part = first; part < end; part++) {
        long at = part % parts * PART;
        float result = ofRow(x, part / parts * length + at, Math.min(PART, length - at));
        results.set(FLOAT, part * Float.BYTES, result);
      }
    });
    for (long row = 0; parts > 1 && row < rows; row++) {
      y.set(FLOAT, row * Float.BYTES, ofRow(results, row * parts, parts));
    }
  }

  private float ofRow(MemorySegment x, long at, long length) {
    FloatVector even = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector odd = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    long pairs = length - length % (2L * LANES);
    for (long i = 0; i < pairs; i += 2L * LANES) {
      even = even.max(load(x, at + i).mul(turn));
      odd = odd.max(load(x, at + i + LANES).mul(turn));
    }
    long whole = length - length % LANES;
    for (long i = pairs; i < whole; i += LANES) {
      even = even.max(load(x, at + i).mul(turn));
    }
    if (whole == length) {
      return VectorRows.greatestLane(even.max(odd)) * sign;
    }
    VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
    return VectorRows.greatestLane(even.max(odd.max(LEAST.blend(load(x, at + whole, rest).mul(turn), rest)))) * sign;
  }

  /** Blocks of {@code [length, width]}: each lane reduces a column. */
  private void reduceColumns(KernelCall call, long length, long width) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    long across = Math.ceilDiv(width, 2L * LANES);
    long blocks = call.output(0).elementCount() / width;
    CpuStream.of(call).parallel(blocks * across, Math.max(1, PART / (2 * length * LANES)), (first, end) -> {
      for (long tile = first; tile < end; tile++) {
        long at = tile % across * 2 * LANES;
        long from = tile / across * length * width + at;
        long to = tile / across * width + at;
        if (at + 2L * LANES <= width) {
          pairOfColumns(x, y, from, to, length, width);
        } else {
          lastColumns(x, y, from, to, length, width, SPECIES.indexInRange(at, width));
          if (at + LANES < width) {
            lastColumns(x, y, from + LANES, to + LANES, length, width, SPECIES.indexInRange(at + LANES, width));
          }
        }
      }
    });
  }

  private void pairOfColumns(MemorySegment x, MemorySegment y, long from, long to, long length, long width) {
    FloatVector one = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector two = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    for (long i = 0; i < length; i++) {
      one = one.max(load(x, from + i * width).mul(turn));
      two = two.max(load(x, from + i * width + LANES).mul(turn));
    }
    store(one.mul(turn), y, to);
    store(two.mul(turn), y, to + LANES);
  }

  private void lastColumns(MemorySegment x, MemorySegment y, long from, long to, long length, long width,
    VectorMask<Float> rest) {
    FloatVector most = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    for (long i = 0; i < length; i++) {
      most = most.max(load(x, from + i * width, rest).mul(turn));
    }
    store(most.mul(turn), y, to, rest);
  }
}
