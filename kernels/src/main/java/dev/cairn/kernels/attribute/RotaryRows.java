package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * The rows that a {@code RotaryEmbedding} rotates: of {@code [batch,head,step,size]}, or of {@code [batch,step,
 * head*size]} with attribute {@code num_heads}.
 *
 * @param merged whether heads lie beside each other
 * @param size of a row
 * @param rotated how many of a row's first elements are rotated: attribute {@code rotary_embedding_dim}, or all
 */
public record RotaryRows(boolean merged, long batches, long heads, long steps, int size, int rotated) {

  /** @throws IllegalArgumentException when there are no such heads, or the rotated elements are no pairs */
  public static RotaryRows of(Attributes attributes, Shape x) {
    long heads = x.rank() == 4 ? x.extent(1) : attributes.getLong("num_heads", 0);
    boolean merged = x.rank() == 3;
    if ((!merged && x.rank() != 4) || (merged && (heads < 1 || x.extent(2) % heads != 0))) {
      throw new IllegalArgumentException("no heads: input=%s num_heads=%d".formatted(x, heads));
    }
    int size = Math.toIntExact(merged ? x.extent(2) / heads : x.extent(3));
    int stated = attributes.getInt("rotary_embedding_dim", 0);
    int rotated = stated == 0 ? size : stated;
    if (rotated < 0 || rotated > size || rotated % 2 != 0) {
      throw new IllegalArgumentException("not pairs of a row's elements: rotary_embedding_dim=%d size=%d".formatted(
        rotated, size));
    }
    return new RotaryRows(merged, x.extent(0), heads, x.extent(merged ? 1 : 2), size, rotated);
  }

  /** Whether the two elements of a pair are neighbours: attribute {@code interleaved}, by default 0. */
  public static boolean isInterleaved(Attributes attributes) {
    return attributes.getFlag("interleaved", false);
  }

  /** The step of a row, counted through all batches. */
  public long step(long row) {
    return merged ? row / heads : row / (heads * steps) * steps + row % steps;
  }
}
