package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.LoopCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Set;
import jdk.incubator.vector.FloatVector;

/**
 * Operators that combine two {@code float32} operands, stretched as NumPy broadcasts. Runs in which both operands
 * walk, or one repeats a single element, are vector loops; so equal shapes, a scalar, a trailing row and one value a
 * channel all run at full speed. Calls with more operands are left to the portable twin.
 */
public final class VectorElementwiseBinary implements PlacedKernel {
  public static final Kernel ADD = new VectorElementwiseBinary((a, b) -> a.add(b));
  public static final Kernel SUB = new VectorElementwiseBinary((a, b) -> a.sub(b));
  public static final Kernel MUL = new VectorElementwiseBinary((a, b) -> a.mul(b));
  public static final Kernel DIV = new VectorElementwiseBinary((a, b) -> a.div(b));
  public static final Kernel MIN = new VectorElementwiseBinary(FloatVector::min);
  public static final Kernel MAX = new VectorElementwiseBinary(FloatVector::max);

  private static final long GRAIN = 1 << 14;

  private final BinaryLoop loop;

  private VectorElementwiseBinary(BinaryLoop.Function function) {
    this.loop = LoopCopy.of(MethodHandles.lookup(), BinaryLoop.class, BinaryLoopTemplate.class, function);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.inputs().size() == 2;
  }

  @Override
  public Placed forShapes(KernelSignature signature) {
    var broadcast = Broadcast.of(signature.output(0).shape(), signature.input(0).shape(), signature.input(1).shape());
    return (inputs, output) -> loop.run(inputs[0], inputs[1], output, broadcast, 0, broadcast.elementCount());
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return new PlannedKernel(new ForShapes(this, signature), Map.of());
  }

  @Override
  public void run(KernelCall call) {
    run(call, Broadcast.of(call.output(0).shape(), call.input(0).shape(), call.input(1).shape()));
  }

  private void run(KernelCall call, Broadcast broadcast) {
    MemorySegment a = call.input(0).segment();
    MemorySegment b = call.input(1).segment();
    MemorySegment target = call.output(0).segment();
    if (broadcast.elementCount() <= GRAIN) {
      loop.run(a, b, target, broadcast, 0, broadcast.elementCount());
      return;
    }
    CpuStream.of(call).parallel(broadcast.elementCount(), GRAIN,
      (first, end) -> loop.run(a, b, target, broadcast, first, end));
  }

  /** For calls of one signature: how operands stretch is found once. Calls of other shapes are served, too. */
  private static final class ForShapes implements PlacedKernel {
    private final VectorElementwiseBinary kernel;
    private final KernelSignature signature;
    private final Broadcast broadcast;

    ForShapes(VectorElementwiseBinary kernel, KernelSignature signature) {
      this.kernel = kernel;
      this.signature = signature;
      this.broadcast = Broadcast.of(signature.output(0).shape(), signature.input(0).shape(), signature.input(1)
        .shape());
    }

    @Override
    public boolean accepts(KernelSignature other) {
      return kernel.accepts(other);
    }

    @Override
    public Placed forShapes(KernelSignature other) {
      return kernel.forShapes(other);
    }

    @Override
    public void run(KernelCall call) {
      if (call.input(0).type().equals(signature.input(0)) && call.input(1).type().equals(signature.input(1)) && call
        .output(0).type().equals(signature.output(0))) {
        kernel.run(call, broadcast);
      } else {
        kernel.run(call);
      }
    }
  }
}
