package dev.cairn.runtime.cli.option;

import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A tensor's file as it is written on the command line: {@code name:file.npy}. The name may have colons, the file not. */
public record NamedFile(String name, Path file) {

  /** For picocli. */
  public static final class Converter implements ITypeConverter<NamedFile> {
    @Override
    public NamedFile convert(String text) {
      int colon = text.lastIndexOf(':');
      if (colon < 1 || colon == text.length() - 1) {
        throw new TypeConversionException("not a named file: given=%s example=input:values.npy".formatted(text));
      }
      return new NamedFile(text.substring(0, colon), Path.of(text.substring(colon + 1)));
    }
  }
}
