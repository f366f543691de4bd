package dev.cairn.runtime.operator.family;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.TypeContext;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The element types that ONNX admits for an operand, with the checks that an operand has one of them. */
record AdmittedTypes(Set<DType> admitted) {
  static final AdmittedTypes ANY = where(dtype -> true);
  /** All element types but narrow ones; strings, too. */
  static final AdmittedTypes NOT_NARROW = where(dtype -> !dtype.isNarrow());
  static final AdmittedTypes BOOLEANS = of(DType.BOOL);
  static final AdmittedTypes NUMBERS = new AdmittedTypes(DType.NUMBERS);
  static final AdmittedTypes STRINGS = of(DType.STRING);
  /** The element types of n-grams. */
  static final AdmittedTypes WORDS = of(DType.STRING, DType.INT32, DType.INT64);
  static final AdmittedTypes HASHED = of(DType.STRING, DType.INT32, DType.UINT32, DType.INT64, DType.UINT64,
    DType.FLOAT32, DType.FLOAT64);
  static final AdmittedTypes FLOATS = where(DType::isFloat);
  static final AdmittedTypes INTEGERS = where(DType::isInteger);
  static final AdmittedTypes UNSIGNED = where(dtype -> dtype.isInteger() && dtype.isUnsigned());
  /** The element types that have a sign. */
  static final AdmittedTypes SIGNED = where(dtype -> NUMBERS.admits(dtype) && !dtype.isUnsigned());
  /** The element types of matrix products and sums in ONNX: floats and whole numbers of at least four bytes. */
  static final AdmittedTypes WIDE = where(dtype -> dtype.isFloat() || dtype.bits() >= 32);
  /** The element types of maxima along axes in ONNX. */
  static final AdmittedTypes REDUCED_BY_ORDER = where(
    dtype -> WIDE.admits(dtype) || (NOT_NARROW.admits(dtype) && dtype.bits() == 8));
  /** The element types of maxima in windows in ONNX. */
  static final AdmittedTypes POOLED_BY_ORDER = where(
    dtype -> dtype.isFloat() || (dtype.isInteger() && dtype.bits() == 8));
  static final AdmittedTypes POWER_BASES = where(
    dtype -> dtype.isFloat() || dtype == DType.INT32 || dtype == DType.INT64);
  static final AdmittedTypes RANGED = of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64, DType.INT16,
    DType.INT32, DType.INT64);
  static final AdmittedTypes SINGLE = of(DType.FLOAT32);
  static final AdmittedTypes INDEXES = of(DType.INT32, DType.INT64);
  static final AdmittedTypes INT64 = of(DType.INT64);
  /** The element types of operands of quantised products. */
  static final AdmittedTypes BYTES = of(DType.INT8, DType.UINT8);
  static final AdmittedTypes QUANTIZED = where(dtype -> dtype.isInteger()
    ? dtype.bits() <= 16
    : dtype.isNarrow()
      && dtype != DType.FLOAT8E8M0);
  static final AdmittedTypes QUANTIZED_FROM = of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.INT32);
  static final AdmittedTypes DEQUANTIZED_FROM = where(dtype -> QUANTIZED.admits(dtype) || dtype == DType.INT32);
  static final AdmittedTypes SCALES = of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);
  /** Scales of what is quantised, or is to be: microscaling formats have powers of two. */
  static final AdmittedTypes BLOCK_SCALES = where(
    dtype -> SCALES.admits(dtype) || dtype == DType.FLOAT8E8M0);

  AdmittedTypes {
    admitted = Collections.unmodifiableSet(EnumSet.copyOf(admitted));
  }

  private static AdmittedTypes of(DType... dtypes) {
    return new AdmittedTypes(EnumSet.copyOf(List.of(dtypes)));
  }

  private static AdmittedTypes where(Predicate<DType> admits) {
    var admitted = EnumSet.allOf(DType.class);
    admitted.removeIf(admits.negate());
    return new AdmittedTypes(admitted);
  }

  boolean admits(DType dtype) {
    return admitted.contains(dtype);
  }

  /** The one element type that these inputs share. Inputs that are left out are passed over. */
  DType require(TypeContext context, int first, int... others) {
    DType dtype = context.dtype(first);
    if (!admits(dtype)) {
      throw context.fault("unsupported element type: input=%d dtype=%s admitted=%s".formatted(first, dtype, admitted));
    }
    for (int other : others) {
      if (context.has(other) && context.dtype(other) != dtype) {
        throw context.fault("element types differ: input%d=%s input%d=%s"
          .formatted(first, dtype, other, context.dtype(other)));
      }
    }
    return dtype;
  }

  /** Like {@link #require(TypeContext, int, int...)}, for all inputs that a variadic operator has. */
  DType requireAll(TypeContext context) {
    for (int i = 0; i < context.inputCount(); i++) {
      require(context, 0, i);
    }
    return context.dtype(0);
  }

  /** The elements of an input that is a list of whole numbers on which the result's type depends. */
  long[] list(TypeContext context, int input) {
    require(context, input);
    if (context.shape(input).rank() > 1) {
      throw context.fault("not a list: input=%d shape=%s".formatted(input, context.shape(input)));
    }
    return context.value(input).toLongArray();
  }

  /** The only element of an input on which the result's type depends. */
  TensorView single(TypeContext context, int input) {
    require(context, input);
    requireSingle(context, input);
    return context.value(input);
  }

  /** A scalar, or a list of one element, which exporters write instead. */
  static void requireSingle(TypeContext context, int input) {
    if (context.shape(input).rank() > 1 || context.shape(input).elementCount() != 1) {
      throw context.fault("not a scalar: input=%d shape=%s".formatted(input, context.shape(input)));
    }
  }
}
