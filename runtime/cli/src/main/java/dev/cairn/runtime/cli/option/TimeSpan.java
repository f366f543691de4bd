package dev.cairn.runtime.cli.option;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A length of time as people write it: {@code 2s}, {@code 500ms}, {@code 1.5m}, {@code 10} (seconds). */
public record TimeSpan(Duration duration) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d+)?)\\s*(ms|s|m|)");

  /** @throws IllegalArgumentException when it is not of that form, or longer than 292 years */
  public static TimeSpan parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("not a duration: given=%s example=2s".formatted(text));
    }
    long unitNanos = switch (form.group(2)) {
      case "ms" -> 1_000_000L;
      case "m" -> 60_000_000_000L;
      default -> 1_000_000_000L;
    };
    BigDecimal nanos = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unitNanos));
    if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("longer than 292 years: given=" + text);
    }
    return new TimeSpan(Duration.ofNanos(nanos.longValue()));
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<TimeSpan> {
    @Override
    public TimeSpan convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
