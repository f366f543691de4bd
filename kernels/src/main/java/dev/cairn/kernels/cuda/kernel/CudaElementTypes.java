package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of element types in CUDA C, as definitions for the compiler. A source is compiled for one type, {@code
 * VALUE}, and computes in {@code WIDE}. That is {@code float} for half types. For integers it has 64 bits, so they wrap
 * only when they are stored. {@code REAL} and {@code HALF} are 1 or 0. Stateless.
 */
public final class CudaElementTypes {
  private CudaElementTypes() {}

  /** The definitions of {@code VALUE} and its related names. */
  public static List<String> definitions(DType dtype) {
    return definitions("", dtype);
  }

  /** The definitions for {@code float32}, if products on tensor cores may read only 10 bits of fraction. */
  public static List<String> tensorFloats() {
    List<String> all = new ArrayList<>(definitions(DType.FLOAT32));
    all.add("-DTENSOR_FLOATS=1");
    return all;
  }

  private static List<String> definitions(String prefix, DType dtype) {
    List<String> all = new ArrayList<>();
    all.add("-D%sVALUE=%s".formatted(prefix, stored(dtype)));
    all.add("-D%sWIDE=%s".formatted(prefix, computed(dtype)));
    all.add("-D%sREAL=%d".formatted(prefix, dtype.isFloat() ? 1 : 0));
    all.add("-D%sHALF=%d".formatted(prefix, dtype.isHalf() ? 1 : 0));
    all.add("-D%sBOOL=%d".formatted(prefix, dtype == DType.BOOL ? 1 : 0));
    return all;
  }

  /** The definitions for a source with two types: {@code VALUE}, and {@code OTHER_VALUE} with its related names. */
  public static List<String> definitions(DType dtype, DType other) {
    List<String> both = new ArrayList<>(definitions("", dtype));
    both.addAll(definitions("OTHER_", other));
    return both;
  }

  /** The definitions for a source that multiplies quantised matrices of these types. */
  public static List<String> integerProducts(DType left, DType right) {
    List<String> all = definitions(left, right);
    all.add("-DINTEGER_PRODUCTS=1");
    return all;
  }

  /** The unsigned type of the same size, for kernels that only move elements. */
  public static DType moved(DType dtype) {
    return switch (dtype.bytes()) {
      case 1 -> DType.UINT8;
      case 2 -> DType.UINT16;
      case 4 -> DType.UINT32;
      default -> DType.UINT64;
    };
  }

  /** The name of the type in which elements are stored. */
  public static String stored(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> "float";
      case FLOAT64 -> "double";
      case FLOAT16 -> "__half";
      case BFLOAT16 -> "__nv_bfloat16";
      case INT8 -> "int8";
      case INT16 -> "int16";
      case INT32 -> "int32";
      case INT64 -> "int64";
      case UINT8, BOOL -> "uint8";
      case UINT16 -> "uint16";
      case UINT32 -> "uint32";
      case UINT64 -> "uint64";
      default -> throw narrow(dtype);
    };
  }

  private static IllegalArgumentException narrow(DType dtype) {
    return new IllegalArgumentException("CUDA kernels have no such element type: dtype=" + dtype);
  }

  private static String computed(DType dtype) {
    return switch (dtype) {
      case FLOAT64 -> "double";
      case FLOAT32, FLOAT16, BFLOAT16 -> "float";
      case UINT64, UINT32, UINT16, UINT8, BOOL -> "uint64";
      case INT64, INT32, INT16, INT8 -> "int64";
      default -> throw narrow(dtype);
    };
  }
}
