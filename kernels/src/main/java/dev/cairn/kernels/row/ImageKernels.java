package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.image.CpuCropAndResize;
import dev.cairn.kernels.cpu.image.CpuGridSample;
import dev.cairn.kernels.cpu.image.CpuGridSampleGradient;
import dev.cairn.kernels.cpu.image.CpuRegionPool;
import dev.cairn.kernels.cpu.image.CpuRegions;
import dev.cairn.kernels.cpu.image.CpuResize;
import dev.cairn.kernels.cpu.image.VectorGridSample;
import dev.cairn.kernels.cpu.image.VectorResize;
import dev.cairn.kernels.cuda.image.CudaGridSample;
import dev.cairn.kernels.cuda.image.CudaResize;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Operators that sample images at other positions, or cut regions out of them. To add one, add a row. */
public final class ImageKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> NUMERIC = DType.NUMBERS;

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("AffineGrid", REAL, CpuRegions::affineGrid).withoutCuda(KernelRow.NO_CUDA_YET),
    row("CenterCropPad", DType.COMPUTED, CpuRegions::centerCropPad).withoutCuda(KernelRow.NO_CUDA_YET),
    row("CropAndResize", EnumSet.of(DType.FLOAT32), new CpuCropAndResize()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("GridSample", NUMERIC, new CpuGridSample()),
    row("GridSampleGradient", REAL, new CpuGridSampleGradient()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("MaxRoiPool", REAL, new CpuRegionPool()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("Resize", NUMERIC, new CpuResize()),
    row("RoiAlign", REAL, CpuRegions::roiAlign).withoutCuda(KernelRow.NO_CUDA_YET),
    row("RoiAlignGradient", REAL, CpuRegions::roiAlignGradient).withoutCuda(KernelRow.NO_CUDA_YET)),
    () -> List.of(vector("GridSample", new VectorGridSample()), vector("Resize", new VectorResize())));

  private ImageKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("GridSample", NUMERIC, new CudaGridSample(library)),
      KernelRow.cuda("Resize", NUMERIC, new CudaResize(library)));
  }

  private static KernelRow vector(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32), kernel);
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
