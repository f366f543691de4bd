package dev.cairn.kernels.attribute;

/**
 * Which keys a query may see, before masks: attributes {@code is_causal}, {@code left_window_size} and {@code
 * right_window_size}. Query i stands at key i + offset.
 *
 * @param left how many keys before its own a query sees; -1 for all
 * @param right how many keys after its own a query sees; -1 for all
 */
public record AttentionWindow(int left, int right) {

  public static AttentionWindow of(Attributes attributes) {
    int right = AttentionHeads.isCausal(attributes) ? 0 : attributes.getInt("right_window_size", -1);
    return new AttentionWindow(attributes.getInt("left_window_size", -1), right);
  }

  /** The first key that a query sees. */
  public int first(int query, int offset, int keys) {
    return left < 0 ? 0 : Math.clamp((long) query + offset - left, 0, keys);
  }

  /** The key after the last one that a query sees. */
  public int end(int query, int offset, int keys) {
    return right < 0 ? keys : Math.clamp((long) query + offset + right + 1, 0, keys);
  }
}
