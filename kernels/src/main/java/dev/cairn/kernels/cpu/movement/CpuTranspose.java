package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.attribute.BlockForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Strided;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.access.TileCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import org.jspecify.annotations.Nullable;

/** Operators that put axes in another order: {@code Transpose}, {@code DepthToSpace}, {@code SpaceToDepth}. */
public final class CpuTranspose {
  private CpuTranspose() {}

  /** Output axis {@code i} is input axis {@code perm[i]}; without {@code perm}, the axes are reversed. */
  public static void transpose(KernelCall call) {
    transpose(call, null);
  }

  /** Like {@link #transpose(KernelCall)}, with {@code square} for operands that fit into its tiles. */
  public static void transpose(KernelCall call, @Nullable TileCopy square) {
    Shape shape = call.input(0).shape();
    long[] perm = TransposeForm.of(call.attributes()).order(shape.rank());
    int[] order = new int[shape.rank()];
    for (int i = 0; i < order.length; i++) {
      order[i] = shape.axis(perm[i]);
    }
    move(call, square, shape, order);
  }

  /**
   * Blocks of {@code blocksize²} channels become squares of pixels; NCHW, modes {@code DCR} (default) and
   * {@code CRD}.
   */
  public static void depthToSpace(KernelCall call) {
    Shape shape = requireImages(call.input(0), Operators.DEPTH_TO_SPACE);
    long block = block(call);
    long images = shape.extent(0);
    long channels = shape.extent(1) / (block * block);
    long rows = shape.extent(2);
    long columns = shape.extent(3);
    String mode = BlockForm.of(call.attributes()).mode();
    switch (mode) {
      case "DCR" -> move(call, null, Shape.of(images, block, block, channels, rows, columns), 0, 3, 4, 1, 5, 2);
      case "CRD" -> move(call, null, Shape.of(images, channels, block, block, rows, columns), 0, 1, 4, 2, 5, 3);
      default -> throw new IllegalArgumentException("no such mode: operator=DepthToSpace mode=" + mode);
    }
  }

  /**
   * Squares of {@code blocksize²} pixels become channels; NCHW, the inverse of {@link #depthToSpace} in mode
   * {@code DCR}.
   */
  public static void spaceToDepth(KernelCall call) {
    Shape shape = requireImages(call.input(0), Operators.SPACE_TO_DEPTH);
    long block = block(call);
    long rows = shape.extent(2) / block;
    long columns = shape.extent(3) / block;
    move(call, null, Shape.of(shape.extent(0), shape.extent(1), rows, block, columns, block), 0, 3, 5, 1, 2, 4);
  }

  /** Reads input 0 as {@code shape} and writes output 0 with its axes in this order. */
  private static void move(KernelCall call, @Nullable TileCopy square, Shape shape, int... order) {
    TensorView input = call.input(0);
    TensorView output = call.output(0);
    long[] extents = Strided.permuted(shape, order);
    if (shape.elementCount() != input.elementCount() || Shape.of(extents).elementCount() != output.elementCount()) {
      throw new IllegalArgumentException(
        "input and output have different numbers of elements: input=%s readAs=%s output=%s".formatted(input.type(),
          shape, output.type()));
    }
    Strided source = Strided.of(input, shape.extents()).permuted(order);
    StridedCopy.of(input.dtype().bytes(), extents, source, Strided.of(output, extents)).run(CpuStream.of(call), square);
  }

  private static long block(KernelCall call) {
    long block = BlockForm.of(call.attributes()).size();
    if (block < 1) {
      throw new IllegalArgumentException("blocksize must be at least 1: blocksize=" + block);
    }
    return block;
  }

  private static Shape requireImages(TensorView input, String operator) {
    if (input.shape().rank() != 4) {
      throw new IllegalArgumentException(
        "images need four axes, NCHW: operator=%s input=%s".formatted(operator, input.type()));
    }
    return input.shape();
  }
}
