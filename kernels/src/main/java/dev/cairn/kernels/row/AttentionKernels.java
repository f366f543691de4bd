package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.attention.CpuAttention;
import dev.cairn.kernels.cpu.attention.CpuAttentionGradient;
import dev.cairn.kernels.cpu.attention.CpuKeyMask;
import dev.cairn.kernels.cpu.attention.CpuRotaryEmbedding;
import dev.cairn.kernels.cpu.attention.VectorAttention;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cuda.attention.CudaAttention;
import dev.cairn.kernels.cuda.attention.CudaAttentionGradient;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;

/** Attention, the softmax of queries times keys, times values; and rotary embeddings of positions. */
public final class AttentionKernels {
  private static final Set<DType> REAL = Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row(Twin.PORTABLE, REAL, new CpuAttention()),
    new KernelRow("AttentionGradient", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuAttentionGradient()),
    new KernelRow("KeyMask", Twin.PORTABLE, Decides.FIRST_INPUT, Set.of(DType.INT32, DType.INT64), new CpuKeyMask())
      .withoutCuda(KernelRow.NO_CUDA_YET),
    new KernelRow("RotaryEmbedding", Twin.PORTABLE, Decides.FIRST_INPUT, REAL, new CpuRotaryEmbedding())
      .withoutCuda(KernelRow.NO_CUDA_YET)),
    () -> List.of(row(Twin.VECTOR, Set.of(FLOAT32), new VectorAttention()),
      row(Twin.VECTOR, Set.of(FLOAT16, BFLOAT16), VectorHalf.storage(new VectorAttention()))));

  private AttentionKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("Attention", REAL, new CudaAttention(library)),
      KernelRow.cuda("AttentionGradient", REAL, new CudaAttentionGradient(library)));
  }

  private static KernelRow row(Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow("Attention", twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
