package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An input's shape as it is written on the command line: {@code name:1x3x224x224}; {@code name:scalar} for rank 0. */
public record NamedShape(String name, Shape shape) {

  /** @throws IllegalArgumentException when it is not of that form, or an extent is not at least 1 */
  public static NamedShape parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException("not a shape: given=%s example=input:1x3x224x224".formatted(text));
    }
    String extents = text.substring(colon + 1);
    if (extents.equals("scalar")) {
      return new NamedShape(text.substring(0, colon), Shape.SCALAR);
    }
    try {
      long[] parsed = Arrays.stream(extents.split("x", -1)).mapToLong(Long::parseLong).toArray();
      if (Arrays.stream(parsed).anyMatch(extent -> extent < 1)) {
        throw new IllegalArgumentException("every extent must be at least 1, including the batch: given=" + text);
      }
      return new NamedShape(text.substring(0, colon), countable(text, parsed));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a shape: given=%s example=input:1x3x224x224".formatted(text), e);
    }
  }

  /** Whatever the element type will be, the tensor's bytes must be a number. */
  private static Shape countable(String text, long[] extents) {
    long mostElements = Long.MAX_VALUE / DType.INT64.bytes();
    for (long extent : extents) {
      if (extent > mostElements) {
        throw new IllegalArgumentException("too many bytes: given=" + text);
      }
      mostElements /= extent;
    }
    return Shape.of(extents);
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<NamedShape> {
    @Override
    public NamedShape convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
