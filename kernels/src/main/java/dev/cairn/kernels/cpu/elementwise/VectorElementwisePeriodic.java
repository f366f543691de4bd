package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.elementwise.UnaryLoop.Parameters;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorTrigonometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleUnaryOperator;

/**
 * {@code Sin} and {@code Cos} of {@code float32}. A block with a number that {@link VectorTrigonometry} does not reduce
 * is computed element by element.
 */
public final class VectorElementwisePeriodic implements PlacedKernel {
  public static final Kernel SIN = new VectorElementwisePeriodic((x, a, b) -> VectorTrigonometry.sin(x), Math::sin);
  public static final Kernel COS = new VectorElementwisePeriodic((x, a, b) -> VectorTrigonometry.cos(x), Math::cos);

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long GRAIN = 1 << 13;
  /** Elements that are looked at before they are computed; they stay in the inner cache. */
  private static final long BLOCK = 1 << 11;

  private final UnaryLoop loop;
  private final DoubleUnaryOperator exact;

  private VectorElementwisePeriodic(UnaryLoop.Function function, DoubleUnaryOperator exact) {
    this.loop = VectorElementwiseUnary.copy(function);
    this.exact = exact;
  }

  @Override
  public Placed forShapes(KernelSignature signature) {
    long count = signature.output(0).shape().elementCount();
    return (inputs, output) -> map(inputs[0], output, 0, count);
  }

  @Override
  public void run(KernelCall call) {
    MemorySegment source = call.input(0).segment();
    MemorySegment target = call.output(0).segment();
    CpuStream.of(call).parallel(call.output(0).elementCount(), GRAIN, (first, end) -> map(source, target, first, end));
  }

  private void map(MemorySegment source, MemorySegment target, long first, long end) {
    for (long at = first; at < end; at += BLOCK) {
      long behind = Math.min(end, at + BLOCK);
      if (VectorTrigonometry.reduces(source, at, behind)) {
        loop.run(source, target, at, behind, Parameters.NONE);
      } else {
        for (long i = at; i < behind; i++) {
          float y = (float) exact.applyAsDouble(source.get(FLOAT, i * Float.BYTES));
          target.set(FLOAT, i * Float.BYTES, y);
        }
      }
    }
  }
}
