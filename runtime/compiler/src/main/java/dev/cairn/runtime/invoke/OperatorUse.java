package dev.cairn.runtime.invoke;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One use of an operator: all that decides its result types and its kernel. Immutable. Two uses are equal if operator,
 * attributes, number of results, operand types and known values are equal; values compare by their bytes.
 */
public final class OperatorUse {
  /** Values of so many operands, none of them known. */
  private static final @Nullable TensorView[][] UNKNOWN = {{}, {null}, {null, null}, {null, null, null}};

  private final String operator;
  private final Attributes attributes;
  private final int results;
  private final @Nullable TensorType[] types;
  private final @Nullable TensorView[] values;
  private final int hash;

  private OperatorUse(String operator, Attributes attributes, int results, @Nullable TensorType[] types,
    @Nullable TensorView[] values) {
    this.operator = operator;
    this.attributes = attributes;
    this.results = results;
    this.types = types;
    this.values = values;
    this.hash = hash(operator, attributes, results, Arrays.hashCode(types));
  }

  /**
   * A use of an operator.
   *
   * @param results how many results are wanted, at least 1
   * @param types one for each operand; null for an omitted one. The array becomes the use's
   * @param values one for each operand, of its type; null where it is unknown before the call runs. The array becomes
   *   the use's
   */
  public static OperatorUse of(String operator, Attributes attributes, int results, @Nullable TensorType[] types,
    @Nullable TensorView[] values) {
    if (results < 1 || values.length != types.length) {
      throw new IllegalArgumentException("operator=%s results=%d types=%d values=%d".formatted(operator, results,
        types.length, values.length));
    }
    return new OperatorUse(operator, attributes, results, types, values);
  }

  /** Like {@link #of(String, Attributes, int, TensorType[], TensorView[])}, where no value is known. */
  public static OperatorUse of(String operator, Attributes attributes, int results, @Nullable TensorType[] types) {
    int count = types.length;
    return of(operator, attributes, results, types, count < UNKNOWN.length ? UNKNOWN[count] : new TensorView[count]);
  }

  private static int hash(String operator, Attributes attributes, int results, int types) {
    return 31 * (31 * (31 * operator.hashCode() + attributes.hashCode()) + types) + results;
  }

  /** The hash of a use of one or two operands, both there, without known values. */
  public static int hash(String operator, Attributes attributes, int results, TensorType first,
    @Nullable TensorType second) {
    int one = 31 + first.hashCode();
    return hash(operator, attributes, results, second == null ? one : 31 * one + second.hashCode());
  }

  /** Whether this is such a use. */
  public boolean is(String otherOperator, Attributes otherAttributes, int otherResults, TensorType first,
    @Nullable TensorType second) {
    return results == otherResults && types.length == (second == null ? 1 : 2) && first.equals(types[0])
      && (second == null || second.equals(types[1])) && operator.equals(otherOperator) && attributes.equals(
        otherAttributes)
      && !hasValues();
  }

  public String operator() {
    return operator;
  }

  public Attributes attributes() {
    return attributes;
  }

  /** How many results are wanted. */
  public int results() {
    return results;
  }

  /** The types of the operands; empty for an omitted one. */
  List<Optional<TensorType>> types() {
    return Arrays.stream(types).map(Optional::ofNullable).toList();
  }

  /** The value of an operand, if it is known. */
  Optional<TensorView> value(int operand) {
    return Optional.ofNullable(values[operand]);
  }

  /** Whether the value of an operand is known. */
  public boolean hasValue(int operand) {
    return values[operand] != null;
  }

  /** The same use with one more known value. */
  public OperatorUse withValue(int operand, TensorView value) {
    @Nullable
    TensorView[] more = values.clone();
    more[operand] = value;
    return new OperatorUse(operator, attributes, results, types, more);
  }

  /** The same use with no known values but those of operands in a set of bits. */
  OperatorUse withValuesOf(long operands) {
    @Nullable
    TensorView[] kept = values.clone();
    for (int i = 0; i < kept.length; i++) {
      if (!isIn(operands, i)) {
        kept[i] = null;
      }
    }
    return new OperatorUse(operator, attributes, results, types, kept);
  }

  /** The same use, with copies of the values on the Java heap. */
  OperatorUse withCopiedValues() {
    if (!hasValues()) {
      return this;
    }
    @Nullable
    TensorView[] copies = values.clone();
    for (int i = 0; i < copies.length; i++) {
      TensorView value = copies[i];
      copies[i] = value == null ? null : HeapTensor.copyOf(value);
    }
    return new OperatorUse(operator, attributes, results, types, copies);
  }

  boolean hasValuesBeyond(long elements) {
    for (TensorView value : values) {
      if (value != null && value.elementCount() > elements) {
        return true;
      }
    }
    return false;
  }

  private static boolean isIn(long operands, int operand) {
    return operand < Long.SIZE && ((operands >>> operand) & 1) != 0;
  }

  boolean hasValues() {
    for (TensorView value : values) {
      if (value != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OperatorUse that && hash == that.hash && results == that.results && operator.equals(
      that.operator) && Arrays.equals(types, that.types) && attributes.equals(that.attributes) && sameValues(that);
  }

  private boolean sameValues(OperatorUse that) {
    for (int i = 0; i < values.length; i++) {
      if (!isSame(values[i], that.values[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether two known values have the same bytes. The caller has compared their types. */
  private static boolean isSame(@Nullable TensorView mine, @Nullable TensorView other) {
    if (mine == null) {
      return other == null;
    }
    return other != null && mine.segment().mismatch(other.segment()) == -1;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return operator + attributes + Arrays.toString(types);
  }
}
