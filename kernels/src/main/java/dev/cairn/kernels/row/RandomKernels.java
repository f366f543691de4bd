package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.random.CpuRandom;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.random.CudaRandom;
import dev.cairn.kernels.tensor.DType;
import java.util.List;

/** Random tensors. */
public final class RandomKernels {
  public static final List<KernelRow> ROWS = List.of(
    row("Bernoulli", CpuRandom::bernoulli).withoutCuda(KernelRow.NO_CUDA_YET),
    row("Multinomial", CpuRandom::multinomial).withoutCuda(KernelRow.NO_CUDA_YET),
    row("RandomNormal", CpuRandom::normal),
    row("RandomNormalLike", CpuRandom::normalLike),
    row("RandomUniform", CpuRandom::uniform),
    row("RandomUniformLike", CpuRandom::uniformLike));

  private RandomKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      new KernelRow("RandomNormal", Twin.CUDA, Decides.FIRST_OUTPUT, DType.COMPUTED, new CudaRandom(library, true, 0)),
      new KernelRow("RandomNormalLike", Twin.CUDA, Decides.FIRST_OUTPUT, DType.COMPUTED,
        new CudaRandom(library, true, 1)),
      new KernelRow("RandomUniform", Twin.CUDA, Decides.FIRST_OUTPUT, DType.COMPUTED,
        new CudaRandom(library, false, 0)),
      new KernelRow("RandomUniformLike", Twin.CUDA, Decides.FIRST_OUTPUT, DType.COMPUTED,
        new CudaRandom(library, false, 1)));
  }

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_OUTPUT, DType.COMPUTED, kernel);
  }
}
