package dev.cairn.kernels.cuda.random;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RandomForm;
import dev.cairn.kernels.attribute.RandomSeed;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code RandomUniform} and {@code RandomNormal}, and their {@code Like} forms. Uniform numbers have the bits of the
 * processor's; normal ones may differ in the last two places.
 */
public final class CudaRandom extends CudaKernel {
  private final boolean isNormal;
  private final int state;

  /**
   * @param isNormal else uniform
   * @param state the operand with seed and draw
   */
  public CudaRandom(KernelLibrary library, boolean isNormal, int state) {
    super(library);
    this.isNormal = isNormal;
    this.state = state;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    DType dtype = signature.output(0).dtype();
    return dtype.isHalf() || dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView y = call.output(0);
    Attributes attributes = call.attributes();
    RandomForm form = RandomForm.of(attributes);
    Launch.Builder launch = Launch.of(call, library.function("training.cu", y.dtype(), isNormal
      ? "random_normal"
      : "random_uniform"))
      .output(0)
      .input(state)
      .value(y.elementCount())
      .value(RandomSeed.of(attributes))
      .value(form.draw());
    if (isNormal) {
      launch.value((double) form.mean()).value((double) form.scale());
    } else {
      double high = form.high();
      double most = y.dtype() == DType.FLOAT64
        ? Math.max(Math.nextDown(high), -Double.MAX_VALUE)
        : Math.nextDown((float) high);
      launch.value((double) form.low()).value(high).value(most);
    }
    return launch.overElements(y.elementCount());
  }
}
