package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.TransposedWindow.Axis;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** {@code ConvTranspose(x, w, bias?)} over up to three spatial axes. */
public final class CudaConvTranspose extends CudaKernel {
  private static final int MOST_AXES = 3;
  private static final Axis NONE = new Axis(1, 1, 1, 1, 0, 1);

  public CudaConvTranspose(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).shape().rank() - 2 <= MOST_AXES;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    Shape x = call.input(0).shape();
    Shape w = call.input(1).shape();
    long groups = ConvolutionForm.of(call.attributes()).groups();
    List<Axis> given = TransposedWindow.of(call.attributes(), x, w).axes();
    List<Axis> axes = new ArrayList<>(Collections.nCopies(MOST_AXES - given.size(), NONE));
    axes.addAll(given);
    LongStream fields = LongStream.of(groups, x.extent(1) / groups, w.extent(1));
    for (ToLongFunction<Axis> field : List.<ToLongFunction<Axis>>of(Axis::input, Axis::kernel, Axis::stride,
      Axis::dilation, Axis::padBegin, Axis::output)) {
      fields = LongStream.concat(fields, axes.stream().mapToLong(field));
    }
    long count = call.output(0).elementCount();
    return Launch.of(call, library.function("image.cu", call.input(0).dtype(), "spread"))
      .input(0)
      .input(1)
      .input(2)
      .output(0)
      .value(count)
      .structure(Structures.ofLongs(fields.toArray()))
      .overElements(count);
  }
}
