package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;

/**
 * The heads of an {@code Attention}, and the positions of their rows. Operands are {@code [batch,head,row,size]}, or
 * {@code [batch,row,head*size]} with attributes {@code q_num_heads} and {@code kv_num_heads}. Consecutive query heads
 * may share one head of keys and values. All positions and strides are in elements. The elements of a row are adjacent.
 *
 * @param merged whether the heads of an operand are adjacent in a row
 * @param heads the number of query heads, a multiple of {@code keyHeads}
 * @param keyHeads the number of key and value heads
 * @param queries the number of rows of a query head
 * @param keys the number of rows of a key or value head, those of caches included
 * @param size the length of a row of a query or key head
 * @param valueSize the length of a row of a value or result head
 * @param past how many of the keys are in caches, {@code [batch,head,row,size]}
 */
public record AttentionHeads(boolean merged, int batch, int heads, int keyHeads, int queries, int keys, int size,
  int valueSize, int past) {
  /** The name of the attribute that {@link #isNanWhenMasked} reads. */
  public static final String NAN_WHEN_MASKED = "nan_when_masked";

  /** The positions of an operand's rows. */
  public record Rows(long batchStride, long headStride, long rowStride) {
    public long at(int batch, int head, int row) {
      return batch * batchStride + head * headStride + row * rowStride;
    }
  }

  /** @throws IllegalArgumentException if the operands' shapes do not match */
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
      2), extent(query, 3), extent(value, 3), 0);
  }

  private static AttentionHeads merged(Attributes attributes, Shape query, Shape key, Shape value) {
    int heads = attributes.getInt("q_num_heads", 0);
    int keyHeads = attributes.getInt("kv_num_heads", 0);
    if (key.rank() != 3 || value.rank() != 3 || heads < 1 || keyHeads < 1) {
      throw fault("operands of other axes, or no number of heads: q_num_heads=%d kv_num_heads=%d".formatted(heads,
        keyHeads), query, key, value);
    }
    return new AttentionHeads(true, extent(query, 0), heads, keyHeads, extent(query, 1), extent(key, 1), extent(query,
      2) / heads, extent(value, 2) / keyHeads, 0);
  }

  /**
   * The same heads with further keys and values in caches.
   *
   * @throws IllegalArgumentException if the caches' shapes do not match
   */
  public AttentionHeads withPast(Shape keyCache, Shape valueCache) {
    int rows = keyCache.rank() == 4 ? extent(keyCache, 2) : 0;
    if (!keyCache.equals(Shape.of(batch, keyHeads, rows, size)) || !valueCache.equals(Shape.of(batch, keyHeads, rows,
      valueSize))) {
      throw new IllegalArgumentException("no caches of %s: key=%s value=%s".formatted(this, keyCache, valueCache));
    }
    return new AttentionHeads(merged, batch, heads, keyHeads, queries, keys + rows, size, valueSize, rows);
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

  /** The rows of the keys that are not in a cache. */
  public Rows key() {
    return rows(keyHeads, keys - past, size);
  }

  /** The rows of the values that are not in a cache. */
  public Rows value() {
    return rows(keyHeads, keys - past, valueSize);
  }

  /** The keys of the cache and those after them. */
  public Shape presentKeyShape() {
    return Shape.of(batch, keyHeads, keys, size);
  }

  /** The values of the cache and those after them. */
  public Shape presentValueShape() {
    return Shape.of(batch, keyHeads, keys, valueSize);
  }

  /** The shape of all scores. */
  public Shape scoreShape() {
    return Shape.of(batch, heads, queries, keys);
  }

  public Rows result() {
    return rows(heads, queries, valueSize);
  }

  /** The head of keys and values that a query head uses. */
  public int keyHead(int head) {
    return head / (heads / keyHeads);
  }

  /** The factor of the scores: attribute {@code scale}, or by default one over the square root of {@link #size}. */
  public float scale(Attributes attributes) {
    return attributes.getFloat("scale", (float) (1 / Math.sqrt(size)));
  }

  /** Whether each query sees only the keys up to its own position. */
  public static boolean isCausal(Attributes attributes) {
    return attributes.getFlag("is_causal", false);
  }

  /**
   * Whether the result is NaN instead of 0 if all keys of a query are masked. This is Cairn's own attribute
   * {@value #NAN_WHEN_MASKED}, for attention that a model expresses with {@code Softmax}.
   */
  public static boolean isNanWhenMasked(Attributes attributes) {
    return attributes.getFlag(NAN_WHEN_MASKED, false);
  }

  /** How many keys a mask has values for. It masks the others. */
  public int maskedKeys(Shape mask) {
    return mask.rank() == 0 || mask.extent(-1) == 1 ? keys : Math.min(keys, extent(mask, mask.rank() - 1));
  }

  /** A mask broadcast to {@code [batch,head,query,key]}, as far as it has keys. */
  public Layout mask(Shape mask) {
    return Layout.rowMajor(mask).broadcastTo(scoreShape().with(3, maskedKeys(mask)));
  }
}
