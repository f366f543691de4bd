package dev.cairn.kernels.tensor;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The type of a tensor's elements. Names are NumPy's, in lower case ({@code float32}). The {@linkplain #isNarrow()
 * narrow} types, from {@link #FLOAT8E4M3FN} on, only store numbers: operators convert and move them, and compute with
 * the others.
 */
public enum DType {
  FLOAT32(32, Kind.FLOAT),
  FLOAT64(64, Kind.FLOAT),
  FLOAT16(16, Kind.FLOAT),
  BFLOAT16(16, Kind.FLOAT),
  INT8(8, Kind.SIGNED),
  INT16(16, Kind.SIGNED),
  INT32(32, Kind.SIGNED),
  INT64(64, Kind.SIGNED),
  UINT8(8, Kind.UNSIGNED),
  UINT16(16, Kind.UNSIGNED),
  UINT32(32, Kind.UNSIGNED),
  UINT64(64, Kind.UNSIGNED),
  BOOL(8, Kind.BOOLEAN),
  FLOAT8E4M3FN(8, Kind.NARROW_FLOAT),
  FLOAT8E4M3FNUZ(8, Kind.NARROW_FLOAT),
  FLOAT8E5M2(8, Kind.NARROW_FLOAT),
  FLOAT8E5M2FNUZ(8, Kind.NARROW_FLOAT),
  /** A power of two: eight bits of exponent, and neither sign nor fraction. */
  FLOAT8E8M0(8, Kind.NARROW_FLOAT),
  FLOAT4E2M1(4, Kind.NARROW_FLOAT),
  INT4(4, Kind.NARROW_SIGNED),
  UINT4(4, Kind.NARROW_UNSIGNED),
  INT2(2, Kind.NARROW_SIGNED),
  UINT2(2, Kind.NARROW_UNSIGNED),
  /** Text of any length: its elements lie on the heap, see {@link StringElements}. */
  STRING(0, Kind.TEXT);

  /** The types that operators compute with: all but the {@linkplain #isNarrow() narrow} ones and text. */
  public static final Set<DType> COMPUTED = Collections.unmodifiableSet(EnumSet.range(FLOAT32, BOOL));
  /** The types of {@link #COMPUTED} that are numbers. */
  public static final Set<DType> NUMBERS = Collections.unmodifiableSet(EnumSet.range(FLOAT32, UINT64));
  /** The types whose elements have bytes of their own: all but {@linkplain #isPacked() packed} ones and text. */
  public static final Set<DType> WHOLE_BYTES = Collections.unmodifiableSet(EnumSet.range(FLOAT32, FLOAT8E8M0));
  /** The {@linkplain #isPacked() packed} types. */
  public static final Set<DType> PACKED = Collections.unmodifiableSet(EnumSet.range(FLOAT4E2M1, UINT2));

  private enum Kind {
    FLOAT,
    SIGNED,
    UNSIGNED,
    BOOLEAN,
    NARROW_FLOAT,
    NARROW_SIGNED,
    NARROW_UNSIGNED,
    TEXT
  }

  private final String text = name().toLowerCase(Locale.ROOT);
  private final int bits;
  private final Kind kind;

  DType(int bits, Kind kind) {
    this.bits = bits;
    this.kind = kind;
  }

  /** Bits of one element: 2, 4, 8, 16, 32 or 64. A {@link #STRING} takes none of a plan. */
  public int bits() {
    return bits;
  }

  /**
   * Bytes of one element; a {@link #BOOL} takes one, 0 or 1.
   *
   * @throws UnsupportedOperationException if elements are {@linkplain #isPacked() packed}
   */
  public int bytes() {
    if (isPacked()) {
      throw new UnsupportedOperationException("elements have no byte of their own: dtype=%s bits=%d".formatted(this,
        bits));
    }
    return bits / Byte.SIZE;
  }

  /**
   * Bytes of a tensor with this many elements. The first of several elements in a byte has its low bits.
   *
   * @throws ArithmeticException if a {@code long} cannot hold the number
   */
  public long bytes(long count) {
    return isPacked() ? Math.ceilDiv(count, (long) perByte()) : Math.multiplyExact(count, (long) bytes());
  }

  /** Whether an element takes fewer than 8 bits, so that several share a byte. */
  public boolean isPacked() {
    return bits < Byte.SIZE && this != STRING;
  }

  /** Elements that share a byte; 1 unless they are {@linkplain #isPacked() packed}. */
  public int perByte() {
    return isPacked() ? Byte.SIZE / bits : 1;
  }

  /** The most elements that this many bytes hold, as far as a {@code long} can count them. */
  public long elements(long bytes) {
    if (this == STRING) {
      return Long.MAX_VALUE;
    }
    if (!isPacked()) {
      return bytes / bytes();
    }
    return bytes > Long.MAX_VALUE / perByte() ? Long.MAX_VALUE : bytes * perByte();
  }

  /** Whether this is an 8-bit float or a type of fewer than 8 bits, which operators only convert and move. */
  public boolean isNarrow() {
    return isNarrowFloat() || isNarrowInteger();
  }

  /** Whether this is a float of 8 bits or fewer. */
  public boolean isNarrowFloat() {
    return kind == Kind.NARROW_FLOAT;
  }

  /** Whether this is an integer of fewer than 8 bits. */
  public boolean isNarrowInteger() {
    return kind == Kind.NARROW_SIGNED || kind == Kind.NARROW_UNSIGNED;
  }

  /** Whether operators compute with elements as floats; false for narrow types. */
  public boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  /** Whether elements are floats of any size, narrow ones included. */
  public boolean isReal() {
    return isFloat() || isNarrowFloat();
  }

  /** Whether operators compute with elements as integers; false for {@link #BOOL} and narrow types. */
  public boolean isInteger() {
    return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
  }

  /** Whether elements are integers of any size without a sign. */
  public boolean isUnsigned() {
    return kind == Kind.UNSIGNED || kind == Kind.NARROW_UNSIGNED;
  }

  /** Whether this is {@link #FLOAT16} or {@link #BFLOAT16}: stored in two bytes, computed in {@link #FLOAT32}. */
  public boolean isHalf() {
    return this == FLOAT16 || this == BFLOAT16;
  }

  @Override
  public String toString() {
    return text;
  }
}
