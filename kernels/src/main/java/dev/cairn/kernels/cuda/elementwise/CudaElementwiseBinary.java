package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;

/**
 * Operators that combine operands broadcast to one shape, or compare two of them. More than two operands are combined
 * from the left, in the output. A single operand is only broadcast.
 */
public final class CudaElementwiseBinary extends CudaKernel {
  private static final String SOURCE = "elementwise.cu";
  private final String function;

  /** @param function a function of {@code elementwise.cu} */
  public CudaElementwiseBinary(KernelLibrary library, String function) {
    super(library);
    this.function = function;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView y = call.output(0);
    CudaFunction combine = library.function(SOURCE, call.input(0).dtype(), function);
    if (call.inputCount() == 1) {
      CudaFunction stretch = library.function(SOURCE, call.input(0).dtype(), "stretch");
      BroadcastWalk walk = BroadcastWalk.of(y.shape(), call.input(0).shape());
      return Launch.of(call, stretch).input(0).output(0).value(y.elementCount()).structure(walk.bytes())
        .overElements(y.elementCount());
    }
    List<Launch> launches = new ArrayList<>();
    launches.add(finished(Launch.of(call, combine).input(0).input(1), y,
      BroadcastWalk.of(y.shape(), call.input(0).shape(), call.input(1).shape())));
    for (int k = 2; k < call.inputCount(); k++) {
      launches.add(finished(Launch.of(call, combine).output(0).input(k), y,
        BroadcastWalk.of(y.shape(), y.shape(), call.input(k).shape())));
    }
    return Launch.inOrder(launches);
  }

  private static Launch finished(Launch.Builder launch, TensorView y, BroadcastWalk walk) {
    return launch.output(0).value(y.elementCount()).structure(walk.bytes()).overElements(y.elementCount());
  }
}
