package dev.cairn.kernels.attribute;

import java.util.Arrays;

/**
 * The attributes of {@code Transpose}.
 *
 * @param perm axis {@code i} of the result is axis {@code perm[i]} of the operand; empty where the node does not have
 *   the attribute, which turns the order of the axes round
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TransposeForm(long[] perm) {
  public static TransposeForm of(Attributes attributes) {
    return new TransposeForm(attributes.getLongs("perm"));
  }

  public boolean isGiven() {
    return perm.length > 0;
  }

  /** Whether the attribute gives this order. */
  public boolean isOrder(long... order) {
    return Arrays.equals(perm, order);
  }

  /** The order of so many axes. */
  public long[] order(int rank) {
    if (isGiven()) {
      return perm;
    }
    long[] reversed = new long[rank];
    Arrays.setAll(reversed, i -> rank - 1L - i);
    return reversed;
  }
}
