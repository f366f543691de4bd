package dev.cairn.kernels.cuda.image;

import dev.cairn.kernels.attribute.GridForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;

/** {@code GridSample(x, grid)} of up to three spatial axes, with a grid of {@code float32}. */
public final class CudaGridSample extends CudaKernel {
  /** The spatial axes of a structure of {@code image.cu}. */
  private static final int MOST_AXES = 3;

  public CudaGridSample(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.input(0).shape().rank() - 2 <= MOST_AXES && signature.input(1).dtype() == DType.FLOAT32;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    Shape shape = call.input(0).shape();
    Shape grid = call.input(1).shape();
    int axes = shape.rank() - 2;
    GridForm form = GridForm.of(call.attributes());
    long taps = switch (form.mode()) {
      case "nearest" -> 1;
      case "cubic", "bicubic" -> 4;
      default -> 2;
    };
    long padding = switch (form.padding()) {
      case "border" -> 1;
      case "reflection" -> 2;
      default -> 0;
    };
    long[] fields = new long[6 + MOST_AXES];
    fields[0] = shape.extent(1);
    fields[1] = grid.elementCount(1, axes + 1);
    fields[2] = axes;
    fields[3] = taps;
    fields[4] = padding;
    fields[5] = form.alignsCorners() ? 1 : 0;
    for (int axis = 0; axis < axes; axis++) {
      fields[6 + axis] = shape.extent(axis + 2);
    }
    long count = call.output(0).elementCount();
    return Launch.of(call, library.function("image.cu", call.input(0).dtype(), "grid_sample"))
      .input(0)
      .input(1)
      .output(0)
      .value(count)
      .structure(Structures.ofLongs(fields))
      .overElements(count);
  }
}
