package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Operators that combine or compare two operands of one type, stretched as NumPy broadcasts, with one instruction for
 * each vector. Calls whose runs are shorter than a vector are left to the portable twin.
 */
public final class VectorElementwiseLanes implements Kernel {
  private static final long GRAIN_BYTES = 1 << 16;
  /** The shortest vector that there is. */
  private static final int LEAST_BITS = 64;
  /** Longer vectors of bytes would serve fewer rows. */
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.min(256,
    ByteVector.SPECIES_PREFERRED.vectorBitSize())));

  private final LaneOperator function;
  private final Kernel portable;
  private final Map<DType, LaneLoop> loops = new ConcurrentHashMap<>();

  /** @param portable for calls with short runs */
  public VectorElementwiseLanes(LaneOperator function, Kernel portable) {
    this.function = function;
    this.portable = portable;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    DType dtype = signature.input(0).dtype();
    return signature.inputs().size() == 2 && signature.input(1).dtype() == dtype
      && (!function.compares() || species(dtype).length()
        * Byte.SIZE >= LEAST_BITS);
  }

  @Override
  public void run(KernelCall call) {
    DType dtype = call.input(0).dtype();
    var broadcast = Broadcast.of(call.output(0).shape(), call.input(0).shape(), call.input(1).shape());
    if (broadcast.runLength() < species(dtype).length()) {
      portable.run(call);
      return;
    }
    LaneLoop loop = loops.computeIfAbsent(dtype, this::loop);
    MemorySegment a = call.input(0).segment();
    MemorySegment b = call.input(1).segment();
    MemorySegment target = call.output(0).segment();
    CpuStream.of(call).parallel(broadcast.elementCount(), GRAIN_BYTES / dtype.bytes(), (first, end) -> loop.run(a, b,
      target, broadcast, first, end));
  }

  private LaneLoop loop(DType dtype) {
    return LoopCopy.of(MethodHandles.lookup(), LaneLoop.class, function.compares()
      ? LaneComparisonTemplate.class
      : LanePairTemplate.class, new LaneFunction(species(dtype), function.of(dtype)));
  }

  private static VectorSpecies<?> species(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> FloatVector.SPECIES_PREFERRED;
      case FLOAT64 -> DoubleVector.SPECIES_PREFERRED;
      case INT64, UINT64 -> LongVector.SPECIES_PREFERRED;
      case INT32, UINT32 -> IntVector.SPECIES_PREFERRED;
      case INT16, UINT16 -> ShortVector.SPECIES_PREFERRED;
      default -> BYTES;
    };
  }
}
