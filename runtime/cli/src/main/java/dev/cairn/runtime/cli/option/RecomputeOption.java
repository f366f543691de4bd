package dev.cairn.runtime.cli.option;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** A graph of recomputation that is planned instead of a model, and where its curve goes. */
@HelpSection.In(HelpSection.MEMORY)
public final class RecomputeOption {
  private static final String ENDING = ".svg";

  @HelpSection.In(HelpSection.MODEL)
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--recompute-csv", paramLabel = "FILE",
    description = "Plan which nodes of this graph run again, instead of a model: columns "
      + "id,name,phase,cost,bytes,reads. With --capacity BYTES or PERCENT of the peak in the file's order.")
  private @Nullable Path csv;

  @HelpSection.Common
  @HelpSection.In(HelpSection.OUTPUT)
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--curve", paramLabel = "FILE.svg", converter = CurveFile.Converter.class,
    description = "Draw what recomputation to each budget costs, from the floor to the peak; figures in FILE.csv. "
      + "Of a model, the budget is that of the plan.")
  private @Nullable CurveFile curve;

  /**
   * A drawing of a curve, and the file of its figures beside it.
   *
   * @param path the drawing, whose name must tell what it is
   */
  record CurveFile(Path path) implements FileArgument {
    @Override
    public List<Path> files() {
      return List.of(path, figures(path));
    }

    /** For picocli. */
    static final class Converter implements ITypeConverter<CurveFile> {
      @Override
      public CurveFile convert(String text) {
        if (!text.toLowerCase(Locale.ROOT).endsWith(ENDING)) {
          throw new TypeConversionException("unknown file extension: file=%s known=%s".formatted(text, ENDING));
        }
        return new CurveFile(Path.of(text));
      }
    }
  }

  /** The graph's file, where one was given. */
  public Optional<Path> csv() {
    return Optional.ofNullable(csv);
  }

  /** Where the curve is drawn. */
  public Optional<Path> curve() {
    return Optional.ofNullable(curve).map(CurveFile::path);
  }

  /** The curve's figures, beside the drawing. */
  public static Path figures(Path curve) {
    String name = String.valueOf(curve.getFileName());
    return curve.resolveSibling(name.substring(0, name.length() - ENDING.length()) + ".csv");
  }
}
