package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.convolution.CudaConvTranspose;
import dev.cairn.kernels.cuda.image.CudaGridSample;
import dev.cairn.kernels.cuda.image.CudaResize;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** CUDA: operators that sample images at other positions, or spread them. To add one, add a row. */
final class CudaImageKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> NUMERIC = DType.NUMBERS;

  private CudaImageKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    return List.of(row("ConvTranspose", REAL, new CudaConvTranspose(library)),
      row("GridSample", NUMERIC, new CudaGridSample(library)), row("Resize", NUMERIC, new CudaResize(library)));
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
