package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.LoopCopy;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** The one loop over one operand; used only through copies, see {@link LoopCopy}. */
final class UnaryLoopTemplate implements UnaryLoop {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final Function FUNCTION;

  static {
    try {
      FUNCTION = MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, Function.class);
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  UnaryLoopTemplate() {}

  @Override
  public void run(MemorySegment source, MemorySegment target, long first, long end, Parameters parameters) {
    float a = parameters.a();
    float b = parameters.b();
    int lanes = SPECIES.length();
    long whole = end - (end - first) % lanes;
    for (long i = first; i < whole; i += lanes) {
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, source, i * Float.BYTES, ORDER);
      FUNCTION.apply(x, a, b).intoMemorySegment(target, i * Float.BYTES, ORDER);
    }
    if (whole < end) {
      runRest(source, target, whole, end, parameters);
    }
  }

  private static void runRest(MemorySegment source, MemorySegment target, long first, long end, Parameters given) {
    VectorMask<Float> rest = SPECIES.indexInRange(first, end);
    FloatVector x = FloatVector.fromMemorySegment(SPECIES, source, first * Float.BYTES, ORDER, rest);
    FUNCTION.apply(x, given.a(), given.b()).intoMemorySegment(target, first * Float.BYTES, ORDER, rest);
  }
}
