package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * {@code GatherBlockQuantized} of com.microsoft: rows of a constant of few bits, dequantised after they are gathered.
 * Inputs are the data, indexes, scales for blocks of the last axis, and zero points.
 */
final class BlockedGatherExpansion {
  /** Bytes that hold two numbers of 4 bits, both 8. */
  private static final byte MIDDLES = (byte) 0x88;
  private static final byte MIDDLE = (byte) 0x80;

  private BlockedGatherExpansion() {}

  static List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    TensorView data = constant(old, 0);
    TensorView scales = constant(old, 2);
    long bits = given.getLong("bits", 4);
    int last = data.shape().rank() - 1;
    boolean areRows = last >= 1 && data.shape().axis(given.getLong("gather_axis", 0)) == 0 && data.shape().axis(given
      .getLong("quantize_axis", 1)) == last;
    if (!areRows || (bits != 4 && bits != 8)) {
      throw new IllegalArgumentException("only rows with blocks of 4 or 8 bits on the last axis are supported: data="
        + data.type());
    }
    boolean areBytes = data.dtype() == DType.UINT8;
    DType dtype = areBytes && bits == 4 ? DType.UINT4 : data.dtype();
    long numbers = data.shape().extent(last) * (areBytes ? dtype.perByte() : 1);
    var whole = new TensorView(new TensorType(dtype, data.shape().with(last, numbers)), data.segment());
    var zeroType = new TensorType(dtype, scales.shape());
    NodeEntry zeros = Node.absent();
    if (!old.input(3).isAbsent()) {
      zeros = rows(old, scope, "zeros", view(zeroType, constant(old, 3).segment()));
    } else if (areBytes) {
      MemorySegment middles = MemorySegment.ofArray(new byte[Math.toIntExact(zeroType.bytes())]);
      zeros = rows(old, scope, "zeros", view(zeroType, middles.fill(bits == 4 ? MIDDLES : MIDDLE)));
    }
    Attributes blocks = Attributes.NONE.with("axis", -1).with("block_size", given.getLong("block_size", 128));
    return scope.node(old.as("DequantizeLinear", blocks, rows(old, scope, "data", whole), rows(old, scope, "scales",
      scales), zeros));
  }

  private static NodeEntry rows(OldNode old, UpgradeScope scope, String name, TensorView value) {
    return scope.node(old, "Gather", Attributes.NONE, scope.constant(old, name, value), old.input(1));
  }

  /** Zero points whose rows do not end within a byte. */
  private static TensorView view(TensorType type, MemorySegment bytes) {
    if (bytes.byteSize() != type.bytes() || type.shape().extent(-1) % type.dtype().perByte() != 0) {
      throw new IllegalArgumentException("zero points of a row must fill whole bytes: type=%s bytes=%d".formatted(type,
        bytes.byteSize()));
    }
    return new TensorView(type, bytes);
  }

  private static TensorView constant(OldNode old, int input) {
    if (old.input(input).node().kind() instanceof NodeKind.Constant(TensorView value)) {
      return value;
    }
    throw new IllegalArgumentException("only constant data, scales and zero points are supported: input=" + input);
  }
}
