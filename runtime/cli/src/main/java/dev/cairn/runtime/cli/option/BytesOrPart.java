package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.compile.MemoryNeed;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes, or a part of another: {@code 2GiB}, {@code 50%}.
 *
 * @param number bytes, or percent
 * @param isPart whether it is percent
 */
public record BytesOrPart(BigDecimal number, boolean isPart) {
  private static final Pattern PERCENT = Pattern.compile("\\d{1,3}(?:\\.\\d{1,6})?\\s*%");

  static BytesOrPart parse(String text) {
    String stripped = text.strip();
    if (!PERCENT.matcher(stripped).matches()) {
      return new BytesOrPart(BigDecimal.valueOf(ByteSize.parse(text).bytes()), false);
    }
    var percent = new BigDecimal(stripped.substring(0, stripped.length() - 1).strip());
    if (percent.compareTo(BigDecimal.valueOf(100)) > 0) {
      throw new IllegalArgumentException("a part is at most 100%%: given=%s".formatted(text));
    }
    return new BytesOrPart(percent, true);
  }

  /** The bytes, rounded down. */
  public long of(long whole) {
    return isPart ? number.movePointLeft(2).multiply(BigDecimal.valueOf(whole)).longValue() : number.longValue();
  }

  /** A limit of a model: bytes as they were given, or what it takes beside its plan and this part of its plan. */
  public long limit(MemoryNeed withoutLimit) {
    return isPart ? withoutLimit.totalBytes(of(withoutLimit.planBytes())) : of(0);
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<BytesOrPart> {
    @Override
    public BytesOrPart convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
