package dev.cairn.runtime.onnx.notation;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Element types by the number that ONNX gives them ({@code TensorProto.DataType} of IR version 13). */
public final class ElementTypes {
  /** By number, in the words of {@link DType} where Cairn has the type. */
  private static final List<String> NAMES = List.of("undefined", "float32", "uint8", "int8", "uint16", "int16", "int32",
    "int64", "string", "bool", "float16", "float64", "uint32", "uint64", "complex64", "complex128", "bfloat16",
    "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4", "int4", "float4e2m1", "float8e8m0",
    "uint2",
    "int2");

  private ElementTypes() {}

  /** The attributes of an operator that number an element type in a file; graphs name the type. */
  public static List<String> attributes(String operator) {
    return StandardOperators.table().find(operator).or(() -> ContainerOperators.find(operator))
      .map(it -> it.facts().onnx()
        .types())
      .orElse(List.of());
  }

  /** The type of this number; empty when Cairn has no such type. */
  public static Optional<DType> find(long number) {
    String name = name(number);
    for (DType dtype : DType.values()) {
      if (dtype.toString().equals(name)) {
        return Optional.of(dtype);
      }
    }
    return Optional.empty();
  }

  public static int number(DType dtype) {
    return NAMES.indexOf(dtype.toString());
  }

  /**
   * The number of the type by the name that ONNX's files gave it before they had numbers, such as {@code FLOAT}.
   *
   * @throws IllegalArgumentException when ONNX has no such type
   */
  public static int number(String name) {
    int number = NAMES.indexOf(switch (name) {
      case "FLOAT" -> "float32";
      case "DOUBLE" -> "float64";
      default -> name.toLowerCase(Locale.ROOT);
    });
    if (number < 0) {
      throw new IllegalArgumentException("no such element type: name=" + name);
    }
    return number;
  }

  /** The usual name of the type of this number, also if Cairn does not have the type. */
  public static String name(long number) {
    return number >= 0 && number < NAMES.size() ? NAMES.get((int) number) : "element type " + number;
  }
}
