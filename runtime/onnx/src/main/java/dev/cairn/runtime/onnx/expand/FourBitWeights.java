package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/**
 * Products with weights of four bits in forms that {@code MatMulNBits} does not know: the weights become real numbers,
 * once for a model whose weights are constants.
 */
final class FourBitWeights {
  /** How many numbers share a scale: the first half of them has the low bits of 16 bytes, the other the high bits. */
  private static final int BLOCK = 32;
  private static final int SCALE_BYTES = 4;
  private static final float MIDDLE = 8;
  /** Floats of four bits, by code, divided by the greatest. */
  private static final float[] FP4 = {0, 0.0052083335f, 0.6666667f, 1, 0.33333334f, 0.5f, 0.16666667f, 0.25f, -0f,
    -0.0052083335f, -0.6666667f, -1, -0.33333334f, -0.5f, -0.16666667f, -0.25f};
  /** The numbers of NF4, by code: quantiles of the normal distribution (QLoRA, appendix E). */
  private static final float[] NF4 = {-1, -0.6961928f, -0.52507305f, -0.3949175f,
    -0.28444138f, -0.18477343f, -0.091050036f, 0, 0.0795803f,
    0.1609302f, 0.2461123f, 0.33791524f, 0.44070983f, 0.562617f,
    0.72295684f, 1};

  private FourBitWeights() {}

  /** Weights by bitsandbytes: codes of a table, times the greatest size of each block. */
  static List<NodeEntry> ofTable(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    long depth = given.getLong("K", 0);
    long columns = given.getLong("N", 0);
    long block = given.getLong("block_size", 0);
    long kind = given.getLong("quant_type", -1);
    if (depth < 1 || columns < 1 || block < 1 || kind < 0 || kind > 1) {
      throw new IllegalArgumentException("no such weights: N=%d K=%d block_size=%d quant_type=%d".formatted(columns,
        depth, block, kind));
    }
    long count = Math.multiplyExact(depth, columns);
    float[] values = kind == 0 ? FP4 : NF4;
    GraphExpression table = made.constant("values", TensorView.ofFloats(Shape.of(values.length), values));
    GraphExpression bytes = made.input(1).reshapeKeeping(made.longs("bytes", -1, 1));
    GraphExpression codes = high(bytes).concat(1, List.of(low(bytes))).astype(DType.INT32);
    GraphExpression numbers = first(made, table.take(codes).flatten(), count);
    GraphExpression scales = made.input(2).reshapeKeeping(made.longs("blocks", -1, 1)).astype(DType.FLOAT32);
    GraphExpression each = first(made, scales.broadcastTo(1, block).flatten(), count);
    GraphExpression weights = numbers.mul(each).castLike(made.input(0)).reshape(columns, depth);
    boolean turns = given.getFlag("transB", true);
    return made.last(made.input(0)).matmul(turns ? weights.transpose(1, 0) : weights).results();
  }

  /**
   * Weights column by column, in blocks that begin with their scale and, of kind 1, a zero point. Inputs: A, the
   * blocks, rows and columns of B.
   */
  static List<NodeEntry> ofBlocks(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    long kind = old.attributes().getLong("blk_quant_type", 1);
    if (kind != 0 && kind != 1) {
      throw new IllegalArgumentException("only blocks of 32 numbers are supported: blk_quant_type=" + kind);
    }
    int start = SCALE_BYTES + (int) kind;
    int bytes = start + BLOCK / 2;
    List<GraphExpression> shape = made.input(2).split(0, 1, 1);
    GraphExpression depth = shape.get(0);
    GraphExpression columns = shape.get(1);
    GraphExpression blocks = depth.add(made.longs("rest", BLOCK - 1)).div(made.longs("block", BLOCK));
    GraphExpression all = made.input(1).reshapeKeeping(columns.concat(0, List.of(blocks, made.longs("bytes", bytes))));
    GraphExpression numbers = part(made, all, start, bytes);
    GraphExpression whole = low(numbers).concat(2, List.of(high(numbers))).astype(DType.FLOAT32);
    GraphExpression zero = kind == 1
      ? part(made, all, SCALE_BYTES, start).astype(DType.FLOAT32)
      : made.single("zero", MIDDLE);
    GraphExpression padded = whole.sub(zero).mul(scale(made, all)).reshapeKeeping(made.longs("rows", 0, -1));
    GraphExpression weights = padded.slice(made.longs("first", 0), depth, made.longs("axis", 1), made.longs("step", 1));
    return made.last(made.input(0)).matmul(weights.transpose(1, 0)).results();
  }

  /** The float of which each block's first bytes are the bits, lowest first. */
  private static GraphExpression scale(Replacement made, GraphExpression blocks) {
    GraphExpression bytes = part(made, blocks, 0, SCALE_BYTES).astype(DType.UINT32);
    GraphExpression weights = made.longs("places", 1, 1 << 8, 1 << 16, 1 << 24).astype(DType.UINT32);
    GraphExpression bits = bytes.mul(weights).sum(true, 2);
    return bits.call("BitCast", Attributes.NONE.with("to", new AttributeValue.Text(DType.FLOAT32.toString())));
  }

  private static GraphExpression low(GraphExpression bytes) {
    return bytes.bitwiseAnd(bytes.scalar(15L));
  }

  private static GraphExpression high(GraphExpression bytes) {
    return bytes.call("BitShift", Attributes.NONE.with("direction", new AttributeValue.Text("RIGHT")), bytes.scalar(
      4L));
  }

  private static GraphExpression part(Replacement made, GraphExpression blocks, long from, long to) {
    return blocks.slice(made.longs("from", from), made.longs("to", to), made.longs("axis", 2), made.longs("step", 1));
  }

  private static GraphExpression first(Replacement made, GraphExpression x, long count) {
    return x.slice(made.longs("first", 0), made.longs("count", count), made.longs("axis", 0), made.longs("step", 1));
  }
}
