package dev.cairn.kernels.row;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.access.PackedStorage;
import dev.cairn.kernels.cpu.movement.CpuConcat;
import dev.cairn.kernels.cpu.movement.CpuExtent;
import dev.cairn.kernels.cpu.movement.CpuIdentity;
import dev.cairn.kernels.cpu.movement.CpuPad;
import dev.cairn.kernels.cpu.movement.CpuRepeat;
import dev.cairn.kernels.cpu.movement.CpuSequence;
import dev.cairn.kernels.cpu.movement.CpuSlice;
import dev.cairn.kernels.cpu.movement.CpuTranspose;
import dev.cairn.kernels.cpu.movement.CpuTriangle;
import dev.cairn.kernels.cpu.movement.VectorConcat;
import dev.cairn.kernels.cpu.movement.VectorTranspose;
import dev.cairn.kernels.cpu.random.CpuDropout;
import dev.cairn.kernels.cpu.reduction.CpuCumulative;
import dev.cairn.kernels.cpu.reduction.VectorCumulative;
import dev.cairn.kernels.cpu.selection.CpuGather;
import dev.cairn.kernels.cpu.selection.CpuPackedGather;
import dev.cairn.kernels.cpu.selection.CpuScatter;
import dev.cairn.kernels.cpu.selection.CpuScatterAdd;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.movement.CudaHostValues;
import dev.cairn.kernels.cuda.movement.CudaIdentity;
import dev.cairn.kernels.cuda.movement.CudaPad;
import dev.cairn.kernels.cuda.movement.CudaStridedCopies;
import dev.cairn.kernels.cuda.movement.CudaTranspose;
import dev.cairn.kernels.cuda.movement.CudaTriangle;
import dev.cairn.kernels.cuda.random.CudaDropout;
import dev.cairn.kernels.cuda.reduction.CudaCumulative;
import dev.cairn.kernels.cuda.selection.CudaGather;
import dev.cairn.kernels.cuda.selection.CudaScatter;
import dev.cairn.kernels.cuda.selection.CudaScatterAdd;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Operators that move elements or return their number. All but running sums treat elements as bytes and support every
 * type; elements of fewer than 8 bits are moved as bytes of their own.
 */
public final class MovementKernels {
  private static final Set<DType> EVERY = EnumSet.allOf(DType.class);
  private static final Set<DType> REAL = EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  public static final List<KernelRow> ROWS = VectorTwins.with(portable(),
    () -> List.of(new KernelRow("Transpose", Twin.VECTOR, Decides.FIRST_INPUT, DType.COMPUTED, new VectorTranspose()),
      new KernelRow("Concat", Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32), new VectorConcat()),
      new KernelRow("CumSum", Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32), new VectorCumulative())));

  /** Rows that move elements of any type, or leave them as they are: strings, too, as whole numbers. */
  static final List<KernelRow> MOVING = Stream
    .concat(ofAnyElement().stream(), moves().stream()).toList();

  private MovementKernels() {}

  /** The rows for NVIDIA devices. */
  static List<KernelRow> cuda(KernelLibrary library) {
    List<KernelRow> all = new ArrayList<>();
    for (String operator : List.of("Identity", "Reshape", "Flatten", "Squeeze", "StopGradient", "Unsqueeze")) {
      all.add(cuda(operator, new CudaIdentity(library, false)));
    }
    all.addAll(List.of(
      cuda("Dropout", new CudaIdentity(library, true)),
      KernelRow.cuda("Dropout", REAL, new CudaDropout(library)),
      cuda("Transpose", CudaTranspose.transpose(library)),
      cuda("DepthToSpace", CudaTranspose.depthToSpace(library)),
      cuda("SpaceToDepth", CudaTranspose.spaceToDepth(library)),
      cuda("Concat", CudaStridedCopies.concat(library)),
      cuda("Split", CudaStridedCopies.split(library)),
      cuda("Slice", CudaStridedCopies.slice(library)),
      cuda("Expand", CudaStridedCopies.expand(library)),
      cuda("Tile", CudaStridedCopies.tile(library)),
      cuda("Pad", new CudaPad(library)),
      cuda("Gather", new CudaGather(library, false)),
      cuda("GatherElements", new CudaGather(library, true)),
      KernelRow.cuda("ScatterAdd", REAL, new CudaScatterAdd(library)),
      cuda("ScatterND", new CudaScatter(library)),
      cuda("Trilu", new CudaTriangle(library)),
      KernelRow.cuda("CumSum", DType.NUMBERS, new CudaCumulative(library)),
      cuda("Shape", CudaHostValues.shape(library)),
      cuda("Size", CudaHostValues.size(library))));
    return all;
  }

  private static KernelRow cuda(String operator, Kernel kernel) {
    return KernelRow.cuda(operator, DType.COMPUTED, kernel);
  }

  private static List<KernelRow> portable() {
    List<KernelRow> all = new ArrayList<>(ofAnyElement());
    all.addAll(List.of(
      row("StopGradient", EVERY, CpuIdentity::identity),
      row("BitCast", EVERY, CpuIdentity::identity).withoutCuda(KernelRow.NO_CUDA_YET),
      row("Dropout", DType.COMPUTED, new CpuDropout()),
      row("ScatterAdd", REAL, new CpuScatterAdd()),
      row("Trilu", DType.COMPUTED, CpuTriangle::trilu),
      row("CumSum", DType.NUMBERS, CpuCumulative.SUM),
      row("CumProd", DType.NUMBERS, CpuCumulative.PRODUCT).withoutCuda(KernelRow.NO_CUDA_YET),
      row("Shape", EVERY, CpuExtent::shape),
      row("Size", EVERY, CpuExtent::size)));
    for (KernelRow move : moves()) {
      all.add(move);
      all.add(row(move.operator(), DType.PACKED, move.operator().equals("Gather")
        ? new CpuPackedGather()
        : new PackedStorage(move.kernel())));
    }
    return List.copyOf(all);
  }

  /** Rows that leave elements as they are, or put them elsewhere. */
  private static List<KernelRow> ofAnyElement() {
    Kernel identity = CpuIdentity::identity;
    return List.of(
      row("Identity", EVERY, identity),
      row("Reshape", EVERY, identity),
      row("Flatten", EVERY, identity),
      row("Squeeze", EVERY, identity),
      row("Unsqueeze", EVERY, identity),
      row("ScatterElements", DType.COMPUTED, CpuScatter::elements).withoutCuda(KernelRow.NO_CUDA_YET),
      row("ScatterND", DType.COMPUTED, CpuScatter::slices));
  }

  /** Rows that put bytes elsewhere, of elements of whole bytes. */
  private static List<KernelRow> moves() {
    return List.of(
      row("Transpose", DType.WHOLE_BYTES, CpuTranspose::transpose),
      row("DepthToSpace", DType.WHOLE_BYTES, CpuTranspose::depthToSpace),
      row("SpaceToDepth", DType.WHOLE_BYTES, CpuTranspose::spaceToDepth),
      row("Concat", DType.WHOLE_BYTES, CpuConcat::concat),
      row("Split", DType.WHOLE_BYTES, CpuConcat::split),
      row("Slice", DType.WHOLE_BYTES, CpuSlice::slice),
      row("Expand", DType.WHOLE_BYTES, CpuRepeat::expand),
      row("Tile", DType.WHOLE_BYTES, CpuRepeat::tile),
      row("Pad", DType.WHOLE_BYTES, CpuPad::pad),
      row("Gather", DType.WHOLE_BYTES, CpuGather::gather),
      row("GatherElements", DType.WHOLE_BYTES, CpuGather::gatherElements),
      row("GatherND", DType.WHOLE_BYTES, CpuGather::gatherSlices).withoutCuda(KernelRow.NO_CUDA_YET),
      row("TensorScatter", DType.WHOLE_BYTES, CpuSequence::scatter).withoutCuda(KernelRow.NO_CUDA_YET),
      row("ReverseSequence", DType.WHOLE_BYTES, CpuSequence::reverse).withoutCuda(KernelRow.NO_CUDA_YET));
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
