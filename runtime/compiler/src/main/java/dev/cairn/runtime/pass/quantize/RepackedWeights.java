package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.BlockedWeights;
import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import java.util.Optional;

/**
 * Constant weights of a product, packed column by column.
 *
 * @param zeros empty if all zero points are in the middle of the range
 */
record RepackedWeights(BlockedWeights layout, TensorView bytes, TensorView scales, Optional<TensorView> zeros) {
  /** The block of a column with one scale is a multiple of it. */
  private static final int WHOLE_BLOCKS = 64;

  /**
   * Packs quantised weights.
   *
   * @param depthAxis the axis that is summed
   * @return empty if they are not constant, of another type, or have scales for blocks of the other axis
   */
  static Optional<RepackedWeights> of(Quantized weights, int depthAxis) {
    Optional<TensorView> value = Quantized.value(weights.tensor());
    Optional<TensorView> scales = Quantized.value(weights.scale());
    boolean hasZeros = !weights.zero().isAbsent();
    Optional<TensorView> zeros = hasZeros ? Quantized.value(weights.zero()) : Optional.empty();
    long blockSize = weights.form().block();
    if (value.isEmpty() || scales.isEmpty() || (hasZeros && zeros.isEmpty()) || !FuseWeightOnlyPass.isWeight(value.get()
      .dtype(), blockSize) || value.get().elementCount() == 0) {
      return Optional.empty();
    }
    Shape shape = value.get().shape();
    int axis = shape.axis(weights.form().axis());
    boolean hasOtherBlocks = axis != depthAxis && blockSize > 0;
    boolean hasRowScales = axis == depthAxis && blockSize == 0 && scales.get().elementCount() > 1;
    int depth = Math.toIntExact(shape.extent(depthAxis));
    long block = blockSize > 0 ? blockSize : Math.ceilDiv(depth, WHOLE_BLOCKS) * (long) WHOLE_BLOCKS;
    if (hasOtherBlocks || hasRowScales || block * value.get().dtype().bits() % Byte.SIZE != 0) {
      return Optional.empty();
    }
    var layout = new BlockedWeights(Math.toIntExact(shape.extent(1 - depthAxis)), depth, value.get().dtype().bits(),
      Math.toIntExact(block));
    return Optional.of(new Source(weights, value.get(), scales.get(), zeros, depthAxis).packed(layout));
  }

  private record Source(Quantized weights, TensorView value, TensorView scales, Optional<TensorView> zeros,
    int depthAxis) {
    RepackedWeights packed(BlockedWeights layout) {
      TensorView bytes = HeapTensor.allocate(new TensorType(DType.UINT8, layout.shape()));
      TensorView packedScales = HeapTensor.allocate(new TensorType(scales.dtype(), Shape.of(layout.columns(), layout
        .blocks())));
      boolean isMiddle = zeros.isEmpty() && !value.dtype().isUnsigned();
      TensorView packedZeros = HeapTensor.allocate(TensorType.of(DType.UINT8, layout.columns(), layout.zeroBytes()));
      for (int column = 0; column < layout.columns(); column++) {
        pack(layout, column, bytes);
        packParameters(layout, column, packedScales, packedZeros);
      }
      return new RepackedWeights(layout, bytes, packedScales, isMiddle ? Optional.empty() : Optional.of(packedZeros));
    }

    /** The bits whose exclusive or adds the middle of the range to a signed number; 0 for unsigned numbers. */
    private int turn(BlockedWeights layout) {
      return value.dtype().isUnsigned() ? 0 : layout.middle();
    }

    private long at(BlockedWeights layout, long depth, long column) {
      return depthAxis == 0 ? depth * layout.columns() + column : column * layout.depth() + depth;
    }

    private void pack(BlockedWeights layout, int column, TensorView bytes) {
      DType packed = layout.dtype();
      long start = column * layout.columnBytes() * packed.perByte();
      for (int k = 0; k < layout.depth(); k++) {
        int code = NarrowElements.code(value.dtype().isPacked() ? value.dtype() : DType.UINT8, value.segment(), at(
          layout, k, column));
        NarrowElements.set(packed, bytes.segment(), start + k, code ^ turn(layout));
      }
    }

    private void packParameters(BlockedWeights layout, int column, TensorView packedScales, TensorView packedZeros) {
      QuantizedLines lines = QuantizedLines.of(weights.attributes(), value.shape(), scales.shape());
      DType packed = layout.dtype();
      int scaleBits = scales.dtype().bits();
      for (int block = 0; block < layout.blocks(); block++) {
        long element = at(layout, (long) block * layout.block(), column);
        long line = element / lines.length();
        long from = lines.scale(line) + element % lines.length() / lines.run();
        long to = (long) column * layout.blocks() + block;
        packedScales.segment().asSlice(to * scaleBits / Byte.SIZE, scaleBits / Byte.SIZE).copyFrom(scales.segment()
          .asSlice(from * scaleBits / Byte.SIZE, scaleBits / Byte.SIZE));
        int zero = zeros.map(it -> NarrowElements.code(value.dtype().isPacked() ? value.dtype() : DType.UINT8, it
          .segment(), it.elementCount() == 1 ? 0 : from)).orElse(0);
        NarrowElements.set(packed, packedZeros.segment(), column * layout.zeroBytes() * packed.perByte() + block, zero
          ^ turn(layout));
      }
    }
  }
}
