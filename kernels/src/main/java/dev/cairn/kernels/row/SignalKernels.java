package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.signal.CpuSignal;
import dev.cairn.kernels.cpu.signal.VectorFrameSpectra;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.signal.CudaFrames;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Spectra of signals. */
public final class SignalKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("DFT", Decides.FIRST_INPUT, REAL, CpuSignal::transform).withoutCuda(KernelRow.NO_CUDA_YET),
    row("MelWeightMatrix", Decides.FIRST_OUTPUT, DType.NUMBERS, CpuSignal::melWeights)
      .withoutCuda(KernelRow.NO_CUDA_YET),
    row("STFT", Decides.FIRST_INPUT, REAL, CpuSignal::frames)),
    () -> List.of(new KernelRow("STFT", Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32),
      new VectorFrameSpectra())));

  private SignalKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("STFT", REAL, new CudaFrames(library)));
  }

  private static KernelRow row(String operator, Decides decides, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, decides, dtypes, kernel);
  }
}
