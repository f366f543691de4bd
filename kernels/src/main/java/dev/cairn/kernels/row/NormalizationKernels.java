package dev.cairn.kernels.row;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.normalization.CpuBatchNormalization;
import dev.cairn.kernels.cpu.normalization.CpuBatchNormalizationGradient;
import dev.cairn.kernels.cpu.normalization.CpuBatchTraining;
import dev.cairn.kernels.cpu.normalization.CpuGroupNormalization;
import dev.cairn.kernels.cpu.normalization.CpuInstanceNormalization;
import dev.cairn.kernels.cpu.normalization.CpuLayerNormalization;
import dev.cairn.kernels.cpu.normalization.CpuLayerNormalizationGradient;
import dev.cairn.kernels.cpu.normalization.CpuLrn;
import dev.cairn.kernels.cpu.normalization.CpuLrnGradient;
import dev.cairn.kernels.cpu.normalization.CpuRmsNormalization;
import dev.cairn.kernels.cpu.normalization.VectorBatchNormalization;
import dev.cairn.kernels.cpu.normalization.VectorGroupNormalization;
import dev.cairn.kernels.cpu.normalization.VectorGroupNormalizationNhwc;
import dev.cairn.kernels.cpu.normalization.VectorLayerNormalization;
import dev.cairn.kernels.cpu.normalization.VectorLrn;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.normalization.CudaBatchTraining;
import dev.cairn.kernels.cuda.normalization.CudaGroupNormalization;
import dev.cairn.kernels.cuda.normalization.CudaLayerGradient;
import dev.cairn.kernels.cuda.normalization.CudaLayerNormalization;
import dev.cairn.kernels.cuda.normalization.CudaPlanes;
import dev.cairn.kernels.cuda.normalization.CudaRmsNormalization;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Operators that normalise rows, planes or channels, and their gradients. To add one, add a row. */
public final class NormalizationKernels {
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final Set<DType> SINGLE = EnumSet.of(DType.FLOAT32);
  private static final Set<DType> HALF = EnumSet.of(DType.FLOAT16, DType.BFLOAT16);

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("BatchNormalization", Twin.PORTABLE, REAL, new CpuBatchNormalization()),
    row("BatchNormalization", Twin.PORTABLE, REAL, new CpuBatchTraining()),
    row("BatchNormalizationGradient", Twin.PORTABLE, REAL, new CpuBatchNormalizationGradient()),
    row("InstanceNormalization", Twin.PORTABLE, REAL, new CpuInstanceNormalization()),
    row("GroupNormalization", Twin.PORTABLE, REAL, new CpuGroupNormalization()),
    row("RMSNormalization", Twin.PORTABLE, REAL, new CpuRmsNormalization()),
    row("LayerNormalization", Twin.PORTABLE, REAL, new CpuLayerNormalization()),
    row("LayerNormalizationGradient", Twin.PORTABLE, REAL, new CpuLayerNormalizationGradient()),
    row("LRN", Twin.PORTABLE, REAL, new CpuLrn()),
    row("LrnGradient", Twin.PORTABLE, REAL, new CpuLrnGradient())),
    () -> List.of(row("BatchNormalization", Twin.VECTOR, SINGLE, new VectorBatchNormalization()),
      row("BatchNormalization", Twin.VECTOR, HALF, VectorHalf.storage(new VectorBatchNormalization())),
      row("InstanceNormalization", Twin.VECTOR, SINGLE, VectorGroupNormalization.OF_CHANNELS),
      row("InstanceNormalization", Twin.VECTOR, HALF, VectorHalf.storage(VectorGroupNormalization.OF_CHANNELS)),
      row("GroupNormalization", Twin.VECTOR, SINGLE, VectorGroupNormalization.OF_GROUPS),
      row("GroupNormalization", Twin.VECTOR, HALF, VectorHalf.storage(VectorGroupNormalization.OF_GROUPS)),
      row(ChannelsLast.operator("GroupNormalization"), Twin.VECTOR, SINGLE, new VectorGroupNormalizationNhwc())
        .withoutCuda("convolutions on GPUs read plain images, so no graph there has it"),
      row(ChannelsLast.operator("GroupNormalization"), Twin.VECTOR, HALF, VectorHalf.storage(
        new VectorGroupNormalizationNhwc())),
      row("LayerNormalization", Twin.VECTOR, SINGLE, new VectorLayerNormalization()),
      row("LayerNormalization", Twin.VECTOR, HALF, VectorHalf.storage(new VectorLayerNormalization())),
      row("LRN", Twin.VECTOR, SINGLE, new VectorLrn()),
      row("LRN", Twin.VECTOR, HALF, VectorHalf.storage(new VectorLrn()))));

  private NormalizationKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    return List.of(
      KernelRow.cuda("BatchNormalization", REAL, CudaPlanes.batchNormalization(library)),
      KernelRow.cuda("BatchNormalization", REAL, new CudaBatchTraining(library, false)),
      KernelRow.cuda("BatchNormalizationGradient", REAL, new CudaBatchTraining(library, true)),
      KernelRow.cuda("InstanceNormalization", REAL, CudaPlanes.instanceNormalization(library)),
      KernelRow.cuda("GroupNormalization", REAL, new CudaGroupNormalization(library)),
      KernelRow.cuda("RMSNormalization", REAL, new CudaRmsNormalization(library)),
      KernelRow.cuda("LayerNormalization", REAL, new CudaLayerNormalization(library)),
      KernelRow.cuda("LayerNormalizationGradient", REAL, new CudaLayerGradient(library)),
      KernelRow.cuda("LRN", REAL, CudaPlanes.localResponseNormalization(library)),
      KernelRow.cuda("LrnGradient", REAL, CudaPlanes.localResponseGradient(library)));
  }

  private static KernelRow row(String operator, Twin twin, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, twin, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
