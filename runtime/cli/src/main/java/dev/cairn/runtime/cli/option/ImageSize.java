package dev.cairn.runtime.cli.option;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The size of an image as it is written on the command line: {@code 28x28}, height first. */
public record ImageSize(int height, int width) {
  private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,4})x([1-9]\\d{0,4})");

  /** For picocli. */
  public static final class Converter implements ITypeConverter<ImageSize> {
    @Override
    public ImageSize convert(String text) {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        throw new TypeConversionException("not a height and a width: given=%s example=28x28".formatted(text));
      }
      return new ImageSize(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
    }
  }
}
