package dev.cairn.runtime.tensorfile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The dictionary at the head of an array file: {@code {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }}. */
final class NpyHeader {
  private static final Pattern DESCRIPTION = Pattern.compile("'descr'\\s*:\\s*'([<>|=]?)([a-z]\\d+)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([\\d\\s,]*)\\)");

  private NpyHeader() {}

  /**
   * What the dictionary says.
   *
   * @param isBigEndian whether the most significant byte of an element comes first
   * @param isColumnMajor whether the first axis is innermost, and not the last
   */
  record Content(TensorType type, boolean isBigEndian, boolean isColumnMajor) {}

  static Content parse(String header, String source) {
    Matcher description = find(DESCRIPTION, header, source);
    TensorType type = type(dtype(description.group(2), source), find(SHAPE, header, source).group(1), source);
    boolean isColumnMajor = find(ORDER, header, source).group(1).equals("True");
    return new Content(type, description.group(1).equals(">"), isColumnMajor);
  }

  static String format(TensorType type) {
    String shape = Arrays.stream(type.shape().extents()).mapToObj(extent -> extent + ",")
      .collect(Collectors.joining(" "));
    String order = type.dtype().bits() <= Byte.SIZE ? "|" : "<";
    return "{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }".formatted(order, code(type.dtype()), shape);
  }

  private static TensorType type(DType dtype, String extents, String source) {
    try {
      TensorType type = TensorType.of(dtype,
        Arrays.stream(extents.split(",")).map(String::strip).filter(it -> !it.isEmpty())
          .mapToLong(Long::parseLong).toArray());
      // A count of bytes that overflows a long throws here, and not at the first later use.
      type.bytes();
      return type;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
        "array with an impossible shape: file=%s shape=(%s)".formatted(source, extents),
        e);
    }
  }

  private static Matcher find(Pattern pattern, String header, String source) {
    Matcher matcher = pattern.matcher(header);
    if (!matcher.find()) {
      throw new IllegalArgumentException(
        "array header cannot be read: file=%s header=%s".formatted(source, header.strip()));
    }
    return matcher;
  }

  private static DType dtype(String code, String source) {
    for (DType dtype : DType.values()) {
      if (DType.COMPUTED.contains(dtype) && dtype != DType.BFLOAT16 && code(dtype).equals(code)) {
        return dtype;
      }
    }
    throw new IllegalArgumentException("array with an unknown element type: file=%s type=%s".formatted(source, code));
  }

  /**
   * NumPy has no bfloat16 or narrow types. The bits of a float go as an unsigned integer, as is usual, and integers of
   * fewer than 8 bits as integers of 8.
   */
  private static String code(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> "f4";
      case FLOAT64 -> "f8";
      case FLOAT16 -> "f2";
      case INT8, INT4, INT2 -> "i1";
      case INT16 -> "i2";
      case INT32 -> "i4";
      case INT64 -> "i8";
      case UINT8, UINT4, UINT2, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
        "u1";
      case UINT16, BFLOAT16 -> "u2";
      case UINT32 -> "u4";
      case UINT64 -> "u8";
      case BOOL -> "b1";
      case STRING -> throw new IllegalArgumentException("array files have no strings: use 'cairn run' without them");
    };
  }
}
