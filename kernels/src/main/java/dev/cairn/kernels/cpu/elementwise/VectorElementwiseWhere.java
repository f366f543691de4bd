package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/** {@code Where(condition, x, y)} of elements of whole bytes; a loop for each width. */
public final class VectorElementwiseWhere implements Kernel {
  private static final long GRAIN_BYTES = 1 << 16;
  /** The shortest vector that there is. */
  private static final int LEAST_BITS = 64;
  private static final ChoiceLoop BYTES = copy(ByteVector.SPECIES_PREFERRED);
  private static final ChoiceLoop SHORTS = copy(ShortVector.SPECIES_PREFERRED);
  private static final ChoiceLoop INTS = copy(IntVector.SPECIES_PREFERRED);
  private static final ChoiceLoop LONGS = copy(LongVector.SPECIES_PREFERRED);

  /** A loop with as many lanes as the shortest vector of bytes at least. */
  private static ChoiceLoop copy(VectorSpecies<?> species) {
    return species.length() * Byte.SIZE < LEAST_BITS
      ? new PortableChoice(species.elementSize() / Byte.SIZE)
      : LoopCopy.of(MethodHandles.lookup(), ChoiceLoop.class, ChoiceLoopTemplate.class, species);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.output(0).dtype().bits() >= Byte.SIZE;
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment target = call.output(0).segment();
    MemorySegment[] operands = {call.input(0).segment(), call.input(1).segment(), call.input(2).segment()};
    var broadcast = Broadcast.of(call.output(0).shape(), call.input(0).shape(), call.input(1).shape(), call.input(2)
      .shape());
    int width = call.output(0).dtype().bytes();
    ChoiceLoop loop = switch (width) {
      case 1 -> BYTES;
      case 2 -> SHORTS;
      case 4 -> INTS;
      default -> LONGS;
    };
    CpuStream.of(call).parallel(broadcast.elementCount(), GRAIN_BYTES / width,
      (first, end) -> loop.run(operands, target,
        broadcast, first, end));
  }
}
