package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.generation.CpuConstantOfShape;
import dev.cairn.kernels.cpu.generation.CpuOneHot;
import dev.cairn.kernels.cpu.generation.CpuRange;
import dev.cairn.kernels.cuda.elementwise.CudaConversions;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.movement.CudaHostValues;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;

/** Operators that generate a tensor from a few numbers. To add one, add a row. */
public final class GenerationKernels {
  public static final List<KernelRow> ROWS = List.of(
    new KernelRow("Range", Twin.PORTABLE, Decides.FIRST_OUTPUT, DType.NUMBERS,
      new CpuRange()),
    new KernelRow("EyeLike", Twin.PORTABLE, Decides.FIRST_OUTPUT, DType.COMPUTED, CpuOneHot::eyeLike)
      .withoutCuda(KernelRow.NO_CUDA_YET),
    new KernelRow("OneHot", Twin.PORTABLE, Decides.FIRST_OUTPUT, DType.COMPUTED, CpuOneHot::oneHot)
      .withoutCuda(KernelRow.NO_CUDA_YET),
    new KernelRow("ConstantOfShape", Twin.PORTABLE, Decides.FIRST_OUTPUT, EnumSet.allOf(DType.class),
      new CpuConstantOfShape()));

  private GenerationKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      new KernelRow("Range", Twin.CUDA, Decides.FIRST_OUTPUT, DType.NUMBERS, CudaConversions.range(library)),
      new KernelRow("ConstantOfShape", Twin.CUDA, Decides.FIRST_OUTPUT, DType.COMPUTED,
        CudaHostValues.constantOfShape(library)));
  }
}
