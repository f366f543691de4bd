package dev.cairn.kernels.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The type of a tensor's elements. Names are NumPy's, in lower case ({@code float32}). */
public enum DType {
  FLOAT32(4, Kind.FLOAT),
  FLOAT64(8, Kind.FLOAT),
  FLOAT16(2, Kind.FLOAT),
  BFLOAT16(2, Kind.FLOAT),
  INT8(1, Kind.SIGNED),
  INT16(2, Kind.SIGNED),
  INT32(4, Kind.SIGNED),
  INT64(8, Kind.SIGNED),
  UINT8(1, Kind.UNSIGNED),
  UINT16(2, Kind.UNSIGNED),
  UINT32(4, Kind.UNSIGNED),
  UINT64(8, Kind.UNSIGNED),
  BOOL(1, Kind.BOOLEAN),
  /** Text of any length: its elements lie on the heap, see {@link StringElements}. */
  STRING(0, Kind.TEXT);

  private enum Kind {
    FLOAT,
    SIGNED,
    UNSIGNED,
    BOOLEAN,
    TEXT
  }

  private final int bytes;
  private final Kind kind;

  DType(int bytes, Kind kind) {
    this.bytes = bytes;
    this.kind = kind;
  }

  /** Bytes of one element; a {@link #BOOL} takes one, 0 or 1. A {@link #STRING} takes none of a plan. */
  public int bytes() {
    return bytes;
  }

  /** All types but {@link #STRING}: those whose elements have a fixed size. */
  public static List<DType> sized() {
    return Arrays.stream(values()).filter(it -> it != STRING).toList();
  }

  public boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  /** Whether elements are signed or unsigned integers; false for {@link #BOOL}. */
  public boolean isInteger() {
    return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
  }

  public boolean isUnsigned() {
    return kind == Kind.UNSIGNED;
  }

  /** Whether this is {@link #FLOAT16} or {@link #BFLOAT16}: stored in two bytes, computed in {@link #FLOAT32}. */
  public boolean isHalf() {
    return this == FLOAT16 || this == BFLOAT16;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
