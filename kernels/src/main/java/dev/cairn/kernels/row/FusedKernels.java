package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.elementwise.CpuFusedPointwise;
import dev.cairn.kernels.cpu.elementwise.VectorAffine;
import dev.cairn.kernels.cuda.elementwise.CudaFusedPointwise;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Optional;

/** Programs of elementwise operators. Each twin runs the steps with kernels of its own kind. */
public final class FusedKernels {
  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row(Twin.PORTABLE, ElementwiseKernels.ROWS.stream().filter(it -> it.twin() == Twin.PORTABLE).toList(), Optional
      .empty())),
    () -> List.of(row(Twin.VECTOR, ElementwiseKernels.ROWS, Optional.of(new VectorAffine()))));

  private FusedKernels() {}

  /** The rows for NVIDIA devices, where the library compiles sources at run time. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return library.compilesGenerated()
      ? List.of(new KernelRow(PointwiseProgram.OPERATOR, Twin.CUDA, Decides.FIRST_OUTPUT, DType.COMPUTED,
        new CudaFusedPointwise(library)))
      : List.of();
  }

  private static KernelRow row(Twin twin, List<KernelRow> steps, Optional<Kernel> whole) {
    return new KernelRow(PointwiseProgram.OPERATOR, twin, Decides.FIRST_OUTPUT, DType.COMPUTED,
      new CpuFusedPointwise(new KernelCatalog(steps), whole));
  }
}
