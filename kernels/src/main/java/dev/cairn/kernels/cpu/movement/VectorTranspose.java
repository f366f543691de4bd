package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.access.TileCopy;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code Transpose} of four-byte elements: the portable walk, with tiles of 8x8 transposed in registers. In three
 * steps rows that lie 4, 2 and 1 apart exchange the halves, quarters and eighths that lie on the wrong side of the
 * diagonal. A few long rows are interleaved instead. Needs vectors of 256 bits.
 */
public final class VectorTranspose implements Kernel {
  private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_256;
  private static final IntVector UPPER4 = upper(4);
  private static final IntVector LOWER4 = lower(4);
  private static final IntVector UPPER2 = upper(2);
  private static final IntVector LOWER2 = lower(2);
  private static final IntVector UPPER1 = upper(1);
  private static final IntVector LOWER1 = lower(1);
  private static final TileCopy TILE = new Tile();

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    Kernel chosen = VectorInterleave.of(signature.input(0).shape(), TransposeForm.of(signature.attributes()).perm())
      .<Kernel>map(it -> it::run).orElse(call -> CpuTranspose.transpose(call, TILE));
    return new PlannedKernel(chosen, Map.of());
  }

  @Override
  public void run(KernelCall call) {
    VectorInterleave.of(call.input(0).shape(), TransposeForm.of(call.attributes()).perm()).ifPresentOrElse(
      it -> it.run(call),
      () -> CpuTranspose.transpose(call, TILE));
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).dtype().bytes() == Integer.BYTES && IntVector.SPECIES_PREFERRED.length() >= 8;
  }

  /** For the upper of two rows {@code distance} apart: its own lanes, and the lower row's where those belong to it. */
  private static IntVector upper(int distance) {
    return lanes(lane -> (lane & distance) == 0 ? lane : 8 + lane - distance);
  }

  private static IntVector lower(int distance) {
    return lanes(lane -> (lane & distance) == 0 ? lane + distance : 8 + lane);
  }

  private static IntVector lanes(IntUnaryOperator from) {
    return IntVector.fromArray(SPECIES, IntStream.range(0, 8).map(from).toArray(), 0);
  }

  private static final class Tile implements TileCopy {
    @Override
    public int elementBytes() {
      return Integer.BYTES;
    }

    @Override
    public int side() {
      return 8;
    }

    @Override
    public void copy(MemorySegment source, long from, long fromStride, MemorySegment target, long to, long toStride) {
      IntVector a0 = row(source, from);
      IntVector a1 = row(source, from + fromStride);
      IntVector a2 = row(source, from + 2 * fromStride);
      IntVector a3 = row(source, from + 3 * fromStride);
      IntVector a4 = row(source, from + 4 * fromStride);
      IntVector a5 = row(source, from + 5 * fromStride);
      IntVector a6 = row(source, from + 6 * fromStride);
      IntVector a7 = row(source, from + 7 * fromStride);
      IntVector b0 = UPPER4.selectFrom(a0, a4);
      IntVector b1 = UPPER4.selectFrom(a1, a5);
      IntVector b2 = UPPER4.selectFrom(a2, a6);
      IntVector b3 = UPPER4.selectFrom(a3, a7);
      IntVector b4 = LOWER4.selectFrom(a0, a4);
      IntVector b5 = LOWER4.selectFrom(a1, a5);
      IntVector b6 = LOWER4.selectFrom(a2, a6);
      IntVector b7 = LOWER4.selectFrom(a3, a7);
      a0 = UPPER2.selectFrom(b0, b2);
      a1 = UPPER2.selectFrom(b1, b3);
      a2 = LOWER2.selectFrom(b0, b2);
      a3 = LOWER2.selectFrom(b1, b3);
      a4 = UPPER2.selectFrom(b4, b6);
      a5 = UPPER2.selectFrom(b5, b7);
      a6 = LOWER2.selectFrom(b4, b6);
      a7 = LOWER2.selectFrom(b5, b7);
      store(UPPER1.selectFrom(a0, a1), target, to);
      store(LOWER1.selectFrom(a0, a1), target, to + toStride);
      store(UPPER1.selectFrom(a2, a3), target, to + 2 * toStride);
      store(LOWER1.selectFrom(a2, a3), target, to + 3 * toStride);
      store(UPPER1.selectFrom(a4, a5), target, to + 4 * toStride);
      store(LOWER1.selectFrom(a4, a5), target, to + 5 * toStride);
      store(UPPER1.selectFrom(a6, a7), target, to + 6 * toStride);
      store(LOWER1.selectFrom(a6, a7), target, to + 7 * toStride);
    }
  }

  private static IntVector row(MemorySegment source, long from) {
    return IntVector.fromMemorySegment(SPECIES, source, from, ByteOrder.nativeOrder());
  }

  private static void store(IntVector row, MemorySegment target, long to) {
    row.intoMemorySegment(target, to, ByteOrder.nativeOrder());
  }
}
