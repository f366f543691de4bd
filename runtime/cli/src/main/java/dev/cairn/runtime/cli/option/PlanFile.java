package dev.cairn.runtime.cli.option;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A file for a plan, whose name tells its format: {@code .csv} or {@code .json}. */
public record PlanFile(Path path, boolean json) implements FileArgument {
  @Override
  public List<Path> files() {
    return List.of(path);
  }

  /** @throws IllegalArgumentException when the name ends otherwise */
  public static PlanFile of(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    if (!name.endsWith(".csv") && !name.endsWith(".json")) {
      throw new IllegalArgumentException("unknown file extension: file=%s known=.csv .json".formatted(text));
    }
    return new PlanFile(Path.of(text), name.endsWith(".json"));
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<PlanFile> {
    @Override
    public PlanFile convert(String text) {
      try {
        return of(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
