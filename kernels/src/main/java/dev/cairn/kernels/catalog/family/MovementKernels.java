package dev.cairn.kernels.catalog.family;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.CpuConcat;
import dev.cairn.kernels.cpu.CpuCumulative;
import dev.cairn.kernels.cpu.CpuExtent;
import dev.cairn.kernels.cpu.CpuGather;
import dev.cairn.kernels.cpu.CpuIdentity;
import dev.cairn.kernels.cpu.CpuPad;
import dev.cairn.kernels.cpu.CpuRepeat;
import dev.cairn.kernels.cpu.CpuScatter;
import dev.cairn.kernels.cpu.CpuSequence;
import dev.cairn.kernels.cpu.CpuSlice;
import dev.cairn.kernels.cpu.CpuTranspose;
import dev.cairn.kernels.cpu.CpuTriangle;
import dev.cairn.kernels.cpu.vector.VectorTranspose;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Operators that move elements or return their number. All but running sums treat elements as bytes and support every
 * type.
 */
public final class MovementKernels {
  private static final Set<DType> EVERY = EnumSet.allOf(DType.class);
  private static final Set<DType> NUMBERS = EnumSet.complementOf(EnumSet.of(DType.BOOL));

  public static final List<KernelRow> ROWS = VectorTwins.with(List.of(
    row("Identity", EVERY, CpuIdentity::identity),
    row("Reshape", EVERY, CpuIdentity::identity),
    row("Flatten", EVERY, CpuIdentity::identity),
    row("Squeeze", EVERY, CpuIdentity::identity),
    row("Unsqueeze", EVERY, CpuIdentity::identity),
    row("Dropout", EVERY, CpuIdentity::dropout),
    row("Transpose", EVERY, CpuTranspose::transpose),
    row("DepthToSpace", EVERY, CpuTranspose::depthToSpace),
    row("SpaceToDepth", EVERY, CpuTranspose::spaceToDepth),
    row("Concat", EVERY, CpuConcat::concat),
    row("Split", EVERY, CpuConcat::split),
    row("Slice", EVERY, CpuSlice::slice),
    row("Expand", EVERY, CpuRepeat::expand),
    row("Tile", EVERY, CpuRepeat::tile),
    row("Pad", EVERY, CpuPad::pad),
    row("Gather", EVERY, CpuGather::gather),
    row("GatherElements", EVERY, CpuGather::gatherElements),
    row("GatherND", EVERY, CpuGather::gatherSlices),
    row("ScatterElements", EVERY, CpuScatter::elements),
    row("ScatterND", EVERY, CpuScatter::slices),
    row("TensorScatter", EVERY, CpuSequence::scatter),
    row("ReverseSequence", EVERY, CpuSequence::reverse),
    row("BitCast", EVERY, CpuIdentity::identity),
    row("Trilu", EVERY, CpuTriangle::trilu),
    row("CumSum", NUMBERS, CpuCumulative.SUM),
    row("CumProd", NUMBERS, CpuCumulative.PRODUCT),
    row("Shape", EVERY, CpuExtent::shape),
    row("Size", EVERY, CpuExtent::size)),
    () -> List.of(new KernelRow("Transpose", Twin.VECTOR, Decides.FIRST_INPUT, EVERY, new VectorTranspose())));

  private MovementKernels() {}

  private static KernelRow row(String operator, Set<DType> dtypes, Kernel kernel) {
    return new KernelRow(operator, Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, kernel);
  }
}
