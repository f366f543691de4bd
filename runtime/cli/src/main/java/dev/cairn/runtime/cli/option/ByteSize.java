package dev.cairn.runtime.cli.option;

import dev.cairn.allocator.report.StatsText;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as people write it: {@code 2GiB}, {@code 512MB}, {@code 1.5g}, {@code 1048576}. */
public record ByteSize(long bytes) {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kmgt]?)(i?b?)");
  private static final String PREFIXES = "kmgt";

  /** @throws IllegalArgumentException when it is not of that form, or past 2^63 */
  public static ByteSize parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("not a number of bytes: given=%s example=2GiB".formatted(text));
    }
    // "MB" is a million bytes, "MiB" and a bare "m" are 2^20.
    int power = form.group(2).isEmpty() ? 0 : PREFIXES.indexOf(form.group(2).charAt(0)) + 1;
    long unit = form.group(3).equals("b") && power > 0 ? Math.powExact(1000L, power) : 1L << (10 * power);
    BigDecimal bytes = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit));
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("too many bytes: given=" + text);
    }
    return new ByteSize(bytes.longValue());
  }

  @Override
  public String toString() {
    return StatsText.bytes(bytes);
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
