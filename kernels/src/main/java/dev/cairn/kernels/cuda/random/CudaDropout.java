package dev.cairn.kernels.cuda.random;

import dev.cairn.kernels.attribute.DropoutForm;
import dev.cairn.kernels.attribute.RandomForm;
import dev.cairn.kernels.attribute.RandomSeed;
import dev.cairn.kernels.catalog.DropoutCall;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Dropout} in training: the same bits as on the processor. The ratio is a constant. */
public final class CudaDropout extends CudaKernel {
  public CudaDropout(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    DType dtype = signature.input(0).dtype();
    return DropoutForm.of(signature.attributes()).isTraining() && (dtype.isHalf() || dtype == DType.FLOAT32
      || dtype == DType.FLOAT64);
  }

  @Override
  public boolean readsOnHost(int input) {
    return input == 1;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    var dropout = new DropoutCall(call);
    Launch.Builder launch = Launch.of(call, library.function("training.cu", x.dtype(), "dropout")).input(0).output(0);
    if (call.outputCount() > 1) {
      launch.output(1);
    } else {
      launch.value(0L);
    }
    return launch.input(3)
      .value(x.elementCount())
      .value(RandomSeed.of(call.attributes()))
      .value(RandomForm.of(call.attributes()).draw())
      .value(dropout.ratio())
      .value(dropout.scale())
      .structure(BroadcastWalk.of(x.shape().extents(), dropout.strides())
        .bytes())
      .overElements(x.elementCount());
  }
}
