package dev.cairn.kernels.cpu.quantized;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** {@code QLinearGlobalAveragePool} of 8 bits: sums of bytes in {@code float32}, which are exact. */
public final class VectorQuantizedPool implements Kernel {
  private static final long GRAIN = 1 << 15;
  /** The number of bytes that are summed up together: their sum has fewer than 24 bits. */
  private static final long BLOCK = 1 << 16;

  @Override
  public boolean accepts(KernelSignature signature) {
    return ByteLanes.EXIST;
  }

  @Override
  public void run(KernelCall call) {
    Shape shape = call.input(0).shape();
    long count = shape.elementCount(2, shape.rank());
    MemorySegment x = call.input(0).segment();
    byte turn = ByteLanes.turn(call.input(0).dtype());
    var planes = CpuQuantizedPool.Planes.of(call);
    double zero = ByteLanes.zero(call.input(0).dtype(), planes.x().zero());
    CpuStream.of(call).parallel(shape.elementCount(0, 2), Math.ceilDiv(GRAIN, count + 1), (first, end) -> {
      for (long channel = first; channel < end; channel++) {
        double sum = -zero * count;
        for (long at = 0; at < count; at += BLOCK) {
          sum += sum(x, channel * count + at, Math.min(BLOCK, count - at), turn);
        }
        planes.write(sum / count, channel);
      }
    });
  }

  private static float sum(MemorySegment x, long from, long count, byte turn) {
    FloatVector sums = FloatVector.zero(SPECIES);
    long whole = count - count % LANES;
    for (long i = 0; i < whole; i += LANES) {
      sums = sums.add(ByteLanes.load(x, from + i, turn));
    }
    float sum = sums.reduceLanes(VectorOperators.ADD);
    for (long i = whole; i < count; i++) {
      sum += ByteLanes.get(x, from + i, turn);
    }
    return sum;
  }
}
