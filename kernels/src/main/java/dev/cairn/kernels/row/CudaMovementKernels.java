package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.elementwise.CudaConversions;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.movement.CudaHostValues;
import dev.cairn.kernels.cuda.movement.CudaIdentity;
import dev.cairn.kernels.cuda.movement.CudaPad;
import dev.cairn.kernels.cuda.movement.CudaStridedCopies;
import dev.cairn.kernels.cuda.movement.CudaTranspose;
import dev.cairn.kernels.cuda.movement.CudaTriangle;
import dev.cairn.kernels.cuda.selection.CudaGather;
import dev.cairn.kernels.cuda.selection.CudaScatter;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** CUDA: operators that move, convert or generate elements. To add one, add a row. */
final class CudaMovementKernels {
  private static final Set<DType> EVERY = DType.COMPUTED;
  private static final Set<DType> NUMBERS = DType.NUMBERS;

  private CudaMovementKernels() {}

  static List<KernelRow> rows(KernelLibrary library) {
    List<KernelRow> all = new ArrayList<>();
    for (String operator : List.of("Identity", "Reshape", "Flatten", "Squeeze", "StopGradient", "Unsqueeze")) {
      all.add(row(operator, new CudaIdentity(library, false)));
    }
    all.add(row("Dropout", new CudaIdentity(library, true)));
    all.add(row("Transpose", CudaTranspose.transpose(library)));
    all.add(row("DepthToSpace", CudaTranspose.depthToSpace(library)));
    all.add(row("SpaceToDepth", CudaTranspose.spaceToDepth(library)));
    all.add(row("Concat", CudaStridedCopies.concat(library)));
    all.add(row("Split", CudaStridedCopies.split(library)));
    all.add(row("Slice", CudaStridedCopies.slice(library)));
    all.add(row("Expand", CudaStridedCopies.expand(library)));
    all.add(row("Tile", CudaStridedCopies.tile(library)));
    all.add(row("Pad", new CudaPad(library)));
    all.add(row("Gather", new CudaGather(library, false)));
    all.add(row("GatherElements", new CudaGather(library, true)));
    all.add(row("ScatterND", new CudaScatter(library)));
    all.add(row("Trilu", new CudaTriangle(library)));
    all.add(row("Shape", CudaHostValues.shape(library)));
    all.add(row("Size", CudaHostValues.size(library)));
    all.add(row("Cast", CudaConversions.cast(library)));
    all.add(new KernelRow("Pow", Twin.CUDA, Decides.FIRST_INPUT, NUMBERS, CudaConversions.pow(library)));
    all.add(new KernelRow("Range", Twin.CUDA, Decides.FIRST_OUTPUT, NUMBERS, CudaConversions.range(library)));
    all.add(new KernelRow("ConstantOfShape", Twin.CUDA, Decides.FIRST_OUTPUT, EVERY, CudaHostValues.constantOfShape(
      library)));
    return all;
  }

  private static KernelRow row(String operator, Kernel kernel) {
    return new KernelRow(operator, Twin.CUDA, Decides.FIRST_INPUT, EVERY, kernel);
  }
}
