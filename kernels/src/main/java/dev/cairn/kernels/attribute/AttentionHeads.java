package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;

/**
 * Which heads an {@code Attention} has, and where their rows lie. Operands are {@code [batch,head,row,size]}, or
 * {@code [batch,row,head*size]} with attributes {@code q_num_heads} and {@code kv_num_heads}; several heads of the
 * queries in a row may share one of the keys and values. All positions and strides are in elements; the elements of a
 * row are neighbours.
 *
 * @param merged whether heads lie beside each other in a row of an operand
 * @param heads of the queries, a multiple of {@code keyHeads}
 * @param keyHeads of the keys and values
 * @param queries rows of a query head
 * @param keys rows of a key and of a value head
 * @param size of a row of a query and of a key head
 * @param valueSize of a row of a value and of a result head
 */
public record AttentionHeads(boolean merged, int batch, int heads, int keyHeads, int queries, int keys, int size,
  int valueSize) {
  /** The attribute of {@link #isNanWhenMasked}. */
  public static final String NAN_WHEN_MASKED = "nan_when_masked";

  /** Where the rows of an operand lie. */
  public record Rows(long batchStride, long headStride, long rowStride) {
    public long at(int batch, int head, int row) {
      return batch * batchStride + head * headStride + row * rowStride;
    }
  }

  /** @throws IllegalArgumentException when the operands don't fit together */
  public static AttentionHeads of(Attributes attributes, Shape query, Shape key, Shape value) {
    AttentionHeads heads = switch (query.rank()) {
      case 3 -> merged(attributes, query, key, value);
      case 4 -> apart(query, key, value);
      default -> throw fault("no heads: axes=%d".formatted(query.rank()), query, key, value);
    };
    if (heads.keyHeads < 1 ? heads.heads > 0 : heads.heads % heads.keyHeads != 0) {
      throw fault("heads of the queries share no heads of the keys: heads=%d keyHeads=%d".formatted(heads.heads,
        heads.keyHeads), query, key, value);
    }
    if (!key.equals(heads.shape(heads.keyHeads, heads.keys, heads.size)) || !value.equals(heads.shape(heads.keyHeads,
      heads.keys, heads.valueSize)) || !query.equals(heads.shape(heads.heads, heads.queries, heads.size))) {
      throw fault("operands of other extents", query, key, value);
    }
    return heads;
  }

  private static AttentionHeads apart(Shape query, Shape key, Shape value) {
    if (key.rank() != 4 || value.rank() != 4) {
      throw fault("operands of other axes", query, key, value);
    }
    return new AttentionHeads(false, extent(query, 0), extent(query, 1), extent(key, 1), extent(query, 2), extent(key,
      2), extent(query, 3), extent(value, 3));
  }

  private static AttentionHeads merged(Attributes attributes, Shape query, Shape key, Shape value) {
    int heads = attributes.getInt("q_num_heads", 0);
    int keyHeads = attributes.getInt("kv_num_heads", 0);
    if (key.rank() != 3 || value.rank() != 3 || heads < 1 || keyHeads < 1) {
      throw fault("operands of other axes, or no number of heads: q_num_heads=%d kv_num_heads=%d".formatted(heads,
        keyHeads), query, key, value);
    }
    return new AttentionHeads(true, extent(query, 0), heads, keyHeads, extent(query, 1), extent(key, 1), extent(query,
      2) / heads, extent(value, 2) / keyHeads);
  }

  private static int extent(Shape shape, int axis) {
    return Math.toIntExact(shape.extent(axis));
  }

  private static IllegalArgumentException fault(String what, Shape query, Shape key, Shape value) {
    return new IllegalArgumentException("no attention: %s query=%s key=%s value=%s".formatted(what, query, key, value));
  }

  private Shape shape(int count, int rows, int rowSize) {
    return merged ? Shape.of(batch, rows, (long) count * rowSize) : Shape.of(batch, count, rows, rowSize);
  }

  private Rows rows(int count, int rows, int rowSize) {
    return merged
      ? new Rows((long) rows * count * rowSize, rowSize, (long) count * rowSize)
      : new Rows((long) rows * count * rowSize, (long) rows * rowSize, rowSize);
  }

  public Shape resultShape() {
    return shape(heads, queries, valueSize);
  }

  public Rows query() {
    return rows(heads, queries, size);
  }

  public Rows key() {
    return rows(keyHeads, keys, size);
  }

  public Rows value() {
    return rows(keyHeads, keys, valueSize);
  }

  public Rows result() {
    return rows(heads, queries, valueSize);
  }

  /** The head of keys and values that a head of queries is compared with. */
  public int keyHead(int head) {
    return head / (heads / keyHeads);
  }

  /** What scores are multiplied by: attribute {@code scale}, or one over the root of {@link #size}. */
  public float scale(Attributes attributes) {
    return attributes.getFloat("scale", (float) (1 / Math.sqrt(size)));
  }

  /** Whether a query looks only at the keys up to its own number. */
  public static boolean isCausal(Attributes attributes) {
    return attributes.getFlag("is_causal", false);
  }

  /**
   * Whether the result is NaN where all keys of a query are masked, and not 0: Cairn's own attribute
   * {@value #NAN_WHEN_MASKED}, for attention that a model writes with {@code Softmax}.
   */
  public static boolean isNanWhenMasked(Attributes attributes) {
    return attributes.getFlag(NAN_WHEN_MASKED, false);
  }

  /** A mask stretched to {@code [batch,head,query,key]}. */
  public Layout mask(Shape mask) {
    return Layout.rowMajor(mask).broadcastTo(Shape.of(batch, heads, queries, keys));
  }
}
