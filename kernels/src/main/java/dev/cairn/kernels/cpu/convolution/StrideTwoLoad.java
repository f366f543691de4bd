package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/** Reads every other float of memory: two whole vectors are read, and the halves of each that count put together. */
final class StrideTwoLoad {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorShuffle<Float> EVEN = VectorShuffle.fromOp(SPECIES, lane -> lane * 2 % LANES);
  private static final VectorMask<Float> LOWER_HALF = SPECIES.indexInRange(0, LANES / 2);
  private static final long VECTOR_BYTES = (long) LANES * Float.BYTES;

  private StrideTwoLoad() {}

  /** Elements 0, 2, 4, ... from a position in bytes on; reads two vectors, that is one element beyond the last. */
  static FloatVector load(MemorySegment segment, long at) {
    FloatVector first = FloatVector.fromMemorySegment(SPECIES, segment, at, ORDER).rearrange(EVEN);
    return FloatVector.fromMemorySegment(SPECIES, segment, at + VECTOR_BYTES, ORDER).rearrange(EVEN)
      .blend(first, LOWER_HALF);
  }
}
