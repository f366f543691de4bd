package dev.cairn.runtime.operator;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * The bounds of the elements of a tensor of whole numbers, whatever a run computes.
 *
 * @param least of each element
 * @param most of each element; at least {@code least}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ValueRange(long[] least, long[] most) {
  /** Longer tensors have no range: shapes do not depend on them. */
  public static final int MOST_ELEMENTS = 1_024;
  /** The range of one element that may be any number. */
  public static final ValueRange ANY = between(Long.MIN_VALUE, Long.MAX_VALUE);

  public ValueRange {
    if (least.length != most.length) {
      throw new IllegalArgumentException("least=%d most=%d".formatted(least.length, most.length));
    }
  }

  /** The range of one element. */
  static ValueRange between(long least, long most) {
    return of(1, least, most);
  }

  /** The range of several elements that all lie between the same bounds. */
  public static ValueRange of(long count, long least, long most) {
    long[] low = new long[(int) count];
    long[] high = low.clone();
    Arrays.fill(low, least);
    Arrays.fill(high, most);
    return new ValueRange(low, high);
  }

  /** The range of one known number. */
  public static ValueRange exactly(long... values) {
    return new ValueRange(values, values);
  }

  /** The range of each element's sum, where no sum leaves 64 bits. */
  public Optional<ValueRange> plus(ValueRange other) {
    return ofPairs(other, (a, b) -> between(Math.addExact(a.least[0], b.least[0]), Math.addExact(a.most[0],
      b.most[0])));
  }

  /** The range of each element's difference. */
  public Optional<ValueRange> minus(ValueRange other) {
    return ofPairs(other, (a, b) -> between(Math.subtractExact(a.least[0], b.most[0]), Math.subtractExact(
      a.most[0], b.least[0])));
  }

  /** The range of each element's product. */
  public Optional<ValueRange> times(ValueRange other) {
    return ofPairs(other, (a, b) -> {
      long[] corners = {Math.multiplyExact(a.least[0], b.least[0]), Math.multiplyExact(a.least[0], b.most[0]), Math
        .multiplyExact(a.most[0], b.least[0]), Math.multiplyExact(a.most[0], b.most[0])};
      return between(Arrays.stream(corners).min().orElseThrow(), Arrays.stream(corners).max().orElseThrow());
    });
  }

  /** The range of each element's quotient; empty unless no dividend is negative and all divisors are positive. */
  public Optional<ValueRange> over(ValueRange other) {
    boolean isPlain = Arrays.stream(least).allMatch(it -> it >= 0) && Arrays.stream(other.least).allMatch(
      it -> it > 0);
    return isPlain
      ? ofPairs(other, (a, b) -> between(a.least[0] / b.most[0], a.most[0] / b.least[0]))
      : Optional.empty();
  }

  /** The range of each element's smaller number. */
  public Optional<ValueRange> min(ValueRange other) {
    return ofPairs(other, (a, b) -> between(Math.min(a.least[0], b.least[0]), Math.min(a.most[0], b.most[0])));
  }

  /** The range of each element's larger number. */
  public Optional<ValueRange> max(ValueRange other) {
    return ofPairs(other, (a, b) -> between(Math.max(a.least[0], b.least[0]), Math.max(a.most[0], b.most[0])));
  }

  /** The range of elements that lie in both ranges. */
  public Optional<ValueRange> and(ValueRange other) {
    return ofPairs(other, (a, b) -> between(Math.max(a.least[0], b.least[0]), Math.min(a.most[0], b.most[0])));
  }

  /** The range of elements that each come from either of two tensors. */
  public Optional<ValueRange> or(ValueRange other) {
    return ofPairs(other, (a, b) -> between(Math.min(a.least[0], b.least[0]), Math.max(a.most[0], b.most[0])));
  }

  /** The range of elements that each are one of several numbers; empty where there are none. */
  public Optional<ValueRange> any(long count) {
    return least.length == 0 || count > MOST_ELEMENTS
      ? Optional.empty()
      : Optional.of(of(count, Arrays.stream(least).min().orElseThrow(), Arrays.stream(most).max()
        .orElseThrow()));
  }

  /** Applies a function element by element; a single element goes with every element of the other side. */
  private Optional<ValueRange> ofPairs(ValueRange other, BinaryOperator<ValueRange> ofTwo) {
    int count = Math.max(least.length, other.least.length);
    int fewer = Math.min(least.length, other.least.length);
    if (fewer != count && fewer != 1) {
      return Optional.empty();
    }
    long[] low = new long[count];
    long[] high = new long[count];
    try {
      for (int i = 0; i < count; i++) {
        ValueRange one = ofTwo.apply(at(i), other.at(i));
        low[i] = one.least[0];
        high[i] = one.most[0];
      }
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
    return Optional.of(new ValueRange(low, high));
  }

  private ValueRange at(int index) {
    int place = least.length == 1 ? 0 : index;
    return between(least[place], most[place]);
  }
}
