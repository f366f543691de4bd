package dev.cairn.kernels.cpu.reduction;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;

import dev.cairn.kernels.attribute.ArgumentForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@code ArgMax(x)} and {@code ArgMin(x)} of {@code float32}, with the results of {@link CpuArgument}. Numbers are
 * compared as whole numbers in the same order. Along the innermost axis each lane keeps the best of its elements, and
 * the lanes are compared last; along other axes each lane keeps that of a line of its own.
 */
public final class VectorArgument implements Kernel {
  private static final long GRAIN = 1 << 14;
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final IntVector NAN = all(Integer.MAX_VALUE);
  /** Below the key of every number by more than 1. */
  private static final int NONE = Integer.MIN_VALUE + 1;
  private static final IntVector BEFORE_ALL = all(-1);
  private static final IntVector BEHIND_ALL = all(Integer.MAX_VALUE);

  private final int turn;

  /** @param greatest whether the greatest element is looked for, or the least one */
  public VectorArgument(boolean greatest) {
    this.turn = greatest ? 0 : -1;
  }

  private static IntVector all(int value) {
    return IntVector.broadcast(INTS, value);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).shape().elementCount() <= Integer.MAX_VALUE;
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment x = call.input(0).segment();
    MemorySegment y = call.output(0).segment();
    ArgumentForm form = ArgumentForm.of(call.attributes());
    var lines = LinesAlong.of(call.input(0).shape(), form.axis());
    if (call.output(0).elementCount() == 0) {
      return;
    }
    long length = lines.extent();
    long inner = lines.inner();
    boolean last = form.takesLast();
    if (inner == 1) {
      CpuStream.of(call).parallel(lines.count(), lines.grain(GRAIN), (first, end) -> {
        for (long row = first; row < end; row++) {
          y.set(LONG, row * Long.BYTES, ofRow(x, row * length, length, last));
        }
      });
      return;
    }
    long across = Math.ceilDiv(inner, LANES);
    CpuStream.of(call).parallel(lines.count() / inner * across, lines.grain(GRAIN / LANES), (first, end) -> {
      int[] indices = new int[LANES];
      for (long tile = first; tile < end; tile++) {
        long column = tile % across * LANES;
        long width = Math.min(LANES, inner - column);
        ofColumns(x, tile / across * length * inner + column, inner, SPECIES.indexInRange(0, width), indices, length,
          last);
        for (int lane = 0; lane < width; lane++) {
          y.set(LONG, (tile / across * inner + column + lane) * Long.BYTES, indices[lane]);
        }
      }
    });
  }

  /** Whole numbers in the order of the numbers, or in the opposite order; a NaN is above all of them. */
  private IntVector keys(FloatVector x) {
    IntVector bits = x.add(0f).reinterpretAsInts();
    IntVector ordered = bits.lanewise(VectorOperators.XOR, bits.lanewise(VectorOperators.ASHR, 31).and(
      Integer.MAX_VALUE));
    return ordered.lanewise(VectorOperators.XOR, turn).blend(NAN, x.test(VectorOperators.IS_NAN).cast(INTS));
  }

  private long ofRow(MemorySegment x, long at, long length, boolean last) {
    int equal = last ? 1 : 0;
    IntVector best = all(NONE);
    IntVector index = all(0).addIndex(1);
    IntVector here = all(0).addIndex(1);
    long whole = length - length % LANES;
    for (long i = 0; i < whole; i += LANES) {
      IntVector key = keys(load(x, at + i));
      VectorMask<Integer> beyond = key.compare(VectorOperators.GT, best.sub(equal));
      best = best.blend(key, beyond);
      index = index.blend(here, beyond);
      here = here.add(LANES);
    }
    if (whole < length) {
      VectorMask<Float> rest = SPECIES.indexInRange(whole, length);
      IntVector key = keys(load(x, at + whole, rest));
      VectorMask<Integer> beyond = key.compare(VectorOperators.GT, best.sub(equal), rest.cast(INTS));
      return ofLanes(best.blend(key, beyond), index.blend(here, beyond), last);
    }
    return ofLanes(best, index, last);
  }

  private static long ofLanes(IntVector best, IntVector index, boolean last) {
    VectorMask<Integer> extreme = best.compare(VectorOperators.EQ, best.reduceLanes(VectorOperators.MAX));
    return last
      ? BEFORE_ALL.blend(index, extreme).reduceLanes(VectorOperators.MAX)
      : BEHIND_ALL.blend(index, extreme).reduceLanes(VectorOperators.MIN);
  }

  private void ofColumns(MemorySegment x, long at, long stride, VectorMask<Float> mask, int[] indices, long length,
    boolean last) {
    int equal = last ? 1 : 0;
    IntVector best = all(NONE);
    IntVector index = all(0);
    IntVector here = all(0);
    for (long i = 0; i < length; i++) {
      IntVector key = keys(load(x, at + i * stride, mask));
      VectorMask<Integer> beyond = key.compare(VectorOperators.GT, best.sub(equal));
      best = best.blend(key, beyond);
      index = index.blend(here, beyond);
      here = here.add(1);
    }
    index.intoArray(indices, 0);
  }
}
