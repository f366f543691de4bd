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
import java.util.Map;
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
      new KernelRow("Concat", Twin.VECTOR, Decides.FIRST_INPUT, EnumSet.of(DType.FLOAT32), new VectorConcat())));

  /** Rows that move elements of any type, or leave them as they are: strings, too, as whole numbers. */
  static final List<KernelRow> MOVING = Stream
    .concat(ofAnyElement().stream(), moves().entrySet().stream().map(it -> row(
      it.getKey(), DType.WHOLE_BYTES, it.getValue())))
    .toList();

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
      row("BitCast", EVERY, CpuIdentity::identity),
      row("Dropout", DType.COMPUTED, new CpuDropout()),
      row("ScatterAdd", REAL, new CpuScatterAdd()),
      row("Trilu", DType.COMPUTED, CpuTriangle::trilu),
      row("CumSum", DType.NUMBERS, CpuCumulative.SUM),
      row("CumProd", DType.NUMBERS, CpuCumulative.PRODUCT),
      row("Shape", EVERY, CpuExtent::shape),
      row("Size", EVERY, CpuExtent::size)));
    moves().forEach((operator, kernel) -> {
      all.add(row(operator, DType.WHOLE_BYTES, kernel));
      all.add(row(operator, DType.PACKED, operator.equals("Gather")
        ? new CpuPackedGather()
        : new PackedStorage(
          kernel)));
    });
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
      row("ScatterElements", DType.COMPUTED, CpuScatter::elements),
      row("ScatterND", DType.COMPUTED, CpuScatter::slices));
  }

  /** The kernels that put bytes elsewhere, by operator. */
  private static Map<String, Kernel> moves() {
    return Map.ofEntries(
      entry("Transpose", CpuTranspose::transpose),
      entry("DepthToSpace", CpuTranspose::depthToSpace),
      entry("SpaceToDepth", CpuTranspose::spaceToDepth),
      entry("Concat", CpuConcat::concat),
      entry("Split", CpuConcat::split),
      entry("Slice", CpuSlice::slice),
      entry("Expand", CpuRepeat::expand),
      entry("Tile", CpuRepeat::tile),
      entry("Pad", CpuPad::pad),
      entry("Gather", CpuGather::gather),
      entry("GatherElements", CpuGather::gatherElements),
      entry("GatherND", CpuGather::gatherSlices),
      entry("TensorScatter", CpuSequence::scatter),
      entry("ReverseSequence", CpuSequence::reverse));
  }

  private static Map.Entry<String, Kernel> entry(String operator, Kernel kernel) {
    return Map.entry(operator, kernel);
  }

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
