package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * The heads of a {@code LinearAttention}. Queries are {@code [batch,step,head*size]}, keys {@code
 * [batch,step,keyHead*size]} and values {@code [batch,step,keyHead*valueSize]}; a state is a matrix {@code
 * [size,valueSize]} for each head of keys. Consecutive query heads share a head of keys.
 */
public record LinearHeads(int batch, int steps, int heads, int keyHeads, int size, int valueSize, Rule rule) {
  /** How a step changes the state S, of key k and value v. */
  public enum Rule {
    /** {@code S + k v}. */
    LINEAR(false, false),
    /** {@code e^decay S + k v}. */
    GATED(true, false),
    /** {@code S + k beta (v - k S)}. */
    DELTA(false, true),
    /** {@code S' + k beta (v - k S')}, where {@code S' = e^decay S}. */
    GATED_DELTA(true, true);

    private final boolean decays;
    private final boolean corrects;

    Rule(boolean decays, boolean corrects) {
      this.decays = decays;
      this.corrects = corrects;
    }

    /** Whether the last state is multiplied with e to the decay. */
    public boolean decays() {
      return decays;
    }

    /** Whether a step adds the difference between its value and the one that the state holds, times beta. */
    public boolean corrects() {
      return corrects;
    }

    private static Rule of(String name) {
      return switch (name) {
        case "linear" -> LINEAR;
        case "gated" -> GATED;
        case "delta" -> DELTA;
        case "gated_delta" -> GATED_DELTA;
        default -> throw new IllegalArgumentException("no such rule: update_rule=\"%s\"".formatted(name));
      };
    }
  }

  /** @throws IllegalArgumentException if the operands' shapes do not match */
  public static LinearHeads of(Attributes attributes, Shape query, Shape key, Shape value) {
    int heads = attributes.getInt("q_num_heads", 0);
    int keyHeads = attributes.getInt("kv_num_heads", 0);
    boolean counted = heads > 0 && keyHeads > 0 && heads % keyHeads == 0 && query.rank() == 3 && key.rank() == 3
      && value.rank() == 3;
    if (!counted || query.extent(2) % heads != 0 || value.extent(2) % keyHeads != 0) {
      throw fault(attributes, query, key, value);
    }
    long size = query.extent(2) / heads;
    if (!key.equals(query.with(2, keyHeads * size)) || !value.equals(key.with(2, value.extent(2)))) {
      throw fault(attributes, query, key, value);
    }
    return new LinearHeads(Math.toIntExact(query.extent(0)), Math.toIntExact(query.extent(1)), heads, keyHeads, Math
      .toIntExact(size), Math.toIntExact(value.extent(2) / keyHeads),
      Rule.of(attributes.getText("update_rule",
        "gated_delta")));
  }

  private static IllegalArgumentException fault(Attributes attributes, Shape query, Shape key, Shape value) {
    return new IllegalArgumentException("heads do not fit: query=%s key=%s value=%s attributes=%s".formatted(query, key,
      value, attributes));
  }

  /** The shape of all states. */
  public Shape stateShape() {
    return Shape.of(batch, keyHeads, size, valueSize);
  }

  /** The shape of the result. */
  public Shape resultShape() {
    return Shape.of(batch, steps, (long) heads * valueSize);
  }

  /** How many query heads share a head of keys. */
  public int sharing() {
    return heads / keyHeads;
  }

  /** The factor of results: attribute {@code scale}, or by default one over the square root of {@link #size}. */
  public double scale(Attributes attributes) {
    float given = attributes.getFloat("scale", 0);
    return given == 0 ? 1 / Math.sqrt(size) : given;
  }
}
