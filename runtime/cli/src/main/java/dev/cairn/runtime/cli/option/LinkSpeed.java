package dev.cairn.runtime.cli.option;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How fast memory is copied, as {@code 24GB/s}. */
public record LinkSpeed(long bytesPerSecond) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)(M|G)B/s", Pattern.CASE_INSENSITIVE);
  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;

  /** From the command line. */
  static final class Converter implements ITypeConverter<LinkSpeed> {
    @Override
    public LinkSpeed convert(String text) {
      Matcher matcher = FORM.matcher(text);
      if (matcher.matches()) {
        boolean isGiga = matcher.group(2).toUpperCase(Locale.ROOT).equals("G");
        long bytes = Math.round(Double.parseDouble(matcher.group(1)) * (isGiga ? GIGA : MEGA));
        if (bytes > 0) {
          return new LinkSpeed(bytes);
        }
      }
      throw new TypeConversionException("not a speed of copies: given=%s examples=12GB/s,500MB/s".formatted(text));
    }
  }
}
