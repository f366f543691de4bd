package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.report.dump.DumpFormat;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file for a memory dump, whose name tells its format. */
public record DumpFile(Path path) implements FileArgument {
  @Override
  public List<Path> files() {
    return List.of(path);
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<DumpFile> {
    @Override
    public DumpFile convert(String text) {
      try {
        DumpFormat.of(Path.of(text));
        return new DumpFile(Path.of(text));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
