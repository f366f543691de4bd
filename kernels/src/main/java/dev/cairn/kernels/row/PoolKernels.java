package dev.cairn.kernels.row;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;
import static dev.cairn.kernels.tensor.DType.INT8;
import static dev.cairn.kernels.tensor.DType.UINT8;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.access.HalfStorage;
import dev.cairn.kernels.cpu.pool.CpuMaskedPool;
import dev.cairn.kernels.cpu.pool.CpuPool;
import dev.cairn.kernels.cpu.pool.CpuPoolGradient;
import dev.cairn.kernels.cpu.pool.CpuUnpool;
import dev.cairn.kernels.cpu.pool.VectorGlobalPool;
import dev.cairn.kernels.cpu.pool.VectorPool;
import dev.cairn.kernels.cpu.pool.VectorPoolGradient;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.pool.CudaGlobalPool;
import dev.cairn.kernels.cuda.pool.CudaPool;
import dev.cairn.kernels.cuda.pool.CudaPoolGradient;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Set;

/** Maximum, average and norm pooling, over windows and over whole channels. */
public final class PoolKernels {
  private static final Set<DType> FLOATS = Set.of(FLOAT32, FLOAT64);
  private static final Set<DType> HALVES = Set.of(FLOAT16, BFLOAT16);
  private static final Set<DType> REAL = Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("MaxPool", Twin.PORTABLE, Set.of(FLOAT32, FLOAT64, INT8, UINT8), CpuPool.MAX),
    row("MaxPool", Twin.PORTABLE, HALVES, new HalfStorage(CpuPool.MAX)),
    row("MaxPoolGradient", Twin.PORTABLE, REAL, CpuPoolGradient.MAX),
    row("AveragePool", Twin.PORTABLE, FLOATS, CpuPool.AVERAGE),
    row("AveragePool", Twin.PORTABLE, HALVES, new HalfStorage(CpuPool.AVERAGE)),
    row("AveragePoolGradient", Twin.PORTABLE, REAL, CpuPoolGradient.AVERAGE),
    row("GlobalAveragePool", Twin.PORTABLE, FLOATS, CpuPool.GLOBAL_AVERAGE),
    row("GlobalAveragePool", Twin.PORTABLE, HALVES, new HalfStorage(CpuPool.GLOBAL_AVERAGE)),
    row("LpPool", Twin.PORTABLE, FLOATS, CpuPool.LP).withoutCuda(KernelRow.NO_CUDA_YET),
    row("LpPool", Twin.PORTABLE, HALVES, new HalfStorage(CpuPool.LP)),
    row("GlobalLpPool", Twin.PORTABLE, FLOATS, CpuPool.GLOBAL_LP).withoutCuda(KernelRow.NO_CUDA_YET),
    row("GlobalLpPool", Twin.PORTABLE, HALVES, new HalfStorage(CpuPool.GLOBAL_LP)),
    row("MaxpoolWithMask", Twin.PORTABLE, Set.of(FLOAT32), new CpuMaskedPool()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("MaxUnpool", Twin.PORTABLE, REAL, new CpuUnpool()).withoutCuda(KernelRow.NO_CUDA_YET),
    row("GlobalMaxPool", Twin.PORTABLE, FLOATS, CpuPool.GLOBAL_MAX),
    row("GlobalMaxPool", Twin.PORTABLE, HALVES, new HalfStorage(CpuPool.GLOBAL_MAX))),
    () -> List.of(row("MaxPool", Twin.VECTOR, Set.of(FLOAT32), VectorPool.MAX),
      row("MaxPool", Twin.VECTOR, HALVES, VectorHalf.storage(VectorPool.MAX)),
      row("MaxPoolGradient", Twin.VECTOR, Set.of(FLOAT32), VectorPoolGradient.MAX),
      row("MaxPoolGradient", Twin.VECTOR, HALVES, VectorHalf.storage(VectorPoolGradient.MAX)),
      row("AveragePoolGradient", Twin.VECTOR, Set.of(FLOAT32), VectorPoolGradient.AVERAGE),
      row("AveragePoolGradient", Twin.VECTOR, HALVES, VectorHalf.storage(VectorPoolGradient.AVERAGE)),
      row("AveragePool", Twin.VECTOR, Set.of(FLOAT32), VectorPool.AVERAGE),
      row("AveragePool", Twin.VECTOR, HALVES, VectorHalf.storage(VectorPool.AVERAGE)),
      row("GlobalAveragePool", Twin.VECTOR, Set.of(FLOAT32), VectorGlobalPool.AVERAGE),
      row("GlobalAveragePool", Twin.VECTOR, HALVES, VectorHalf.storage(VectorGlobalPool.AVERAGE)),
      row("GlobalMaxPool", Twin.VECTOR, Set.of(FLOAT32), VectorGlobalPool.MAX),
      row("GlobalMaxPool", Twin.VECTOR, HALVES, VectorHalf.storage(VectorGlobalPool.MAX))));

  private PoolKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("MaxPool", Set.of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT8, UINT8), new CudaPool(library, true)),
      KernelRow.cuda("MaxPoolGradient", REAL, new CudaPoolGradient(library, true)),
      KernelRow.cuda("AveragePool", REAL, new CudaPool(library, false)),
      KernelRow.cuda("AveragePoolGradient", REAL, new CudaPoolGradient(library, false)),
      KernelRow.cuda("GlobalAveragePool", REAL, new CudaGlobalPool(library, "mean")),
      KernelRow.cuda("GlobalMaxPool", REAL, new CudaGlobalPool(library, "maximum")));
  }

  private static KernelRow row(String operator, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
