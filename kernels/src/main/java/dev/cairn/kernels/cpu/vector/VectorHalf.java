package dev.cairn.kernels.cpu.vector;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.HalfNumber;
import dev.cairn.kernels.cpu.access.HalfStorage;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Set;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** {@code Cast} between {@code float32} and {@code bfloat16}, with the bits of {@link HalfNumber}. */
public final class VectorHalf implements Kernel {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, FloatVector.SPECIES_PREFERRED
    .vectorShape());
  private static final int LANES = INTS.length();
  /** Whether a vector of as many halves as there are floats in a vector exists. */
  private static final boolean EXIST = LANES >= 4;
  private static final VectorSpecies<Short> SHORTS = VectorSpecies.of(short.class, VectorShape.forBitSize(Math.max(64,
    LANES * Short.SIZE)));
  private static final int INFINITY = 0x7f800000;
  private static final int QUIET = 0x40;
  private static final long GRAIN = 1 << 14;

  /** Like {@link HalfStorage}, whose conversions of {@code bfloat16} are as fast as memory. */
  public static Kernel storage(Kernel float32Kernel) {
    return new HalfStorage(float32Kernel, VectorHalf::widen, VectorHalf::narrow);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Set<DType> both = Set.of(DType.FLOAT32, DType.BFLOAT16);
    DType from = signature.input(0).dtype();
    DType to = signature.output(0).dtype();
    return EXIST && from != to && both.contains(from) && both.contains(to);
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      if (y.dtype() == DType.FLOAT32) {
        widen(x.dtype(), x.segment(), y.segment(), first, end - first);
      } else {
        narrow(y.dtype(), x.segment(), y.segment(), first, end - first);
      }
    });
  }

  /** Like {@link HalfNumber#widen}. */
  static void widen(DType half, MemorySegment source, MemorySegment target, long first, long count) {
    long whole = half == DType.BFLOAT16 && EXIST ? count - count % LANES : 0;
    for (long i = first; i < first + whole; i += LANES) {
      ShortVector bits = ShortVector.fromMemorySegment(SHORTS, source, i * Short.BYTES, ORDER);
      IntVector wide = (IntVector) bits.convertShape(VectorOperators.S2I, INTS, 0);
      wide.lanewise(VectorOperators.LSHL, Short.SIZE).intoMemorySegment(target, i * Float.BYTES, ORDER);
    }
    HalfNumber.widen(half, source, target, first + whole, count - whole);
  }

  /** Like {@link HalfNumber#narrow}. */
  static void narrow(DType half, MemorySegment source, MemorySegment target, long first, long count) {
    long whole = half == DType.BFLOAT16 && EXIST ? count - count % LANES : 0;
    for (long i = first; i < first + whole; i += LANES) {
      IntVector bits = IntVector.fromMemorySegment(INTS, source, i * Float.BYTES, ORDER);
      IntVector upper = bits.lanewise(VectorOperators.LSHR, Short.SIZE);
      IntVector rounded = bits.add(upper.and(1).add(0x7fff)).lanewise(VectorOperators.LSHR, Short.SIZE);
      var isNumber = bits.and(Integer.MAX_VALUE).compare(VectorOperators.LE, INFINITY);
      IntVector half16 = upper.or(QUIET).blend(rounded, isNumber);
      ((ShortVector) half16.convertShape(VectorOperators.I2S, SHORTS, 0)).intoMemorySegment(target, i * Short.BYTES,
        ORDER);
    }
    HalfNumber.narrow(half, source, target, first + whole, count - whole);
  }
}
