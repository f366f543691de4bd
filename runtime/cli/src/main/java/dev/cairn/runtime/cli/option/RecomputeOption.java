package dev.cairn.runtime.cli.option;

import java.io.IOException;
import java.nio.file.Path;
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
  @Option(names = "--recompute-csv", paramLabel = "FILE",
    description = "Plan which nodes of this graph run again, instead of a model: columns "
      + "id,name,phase,cost,bytes,reads. With --capacity BYTES or PERCENT of the peak in the file's order.")
  private @Nullable Path csv;

  @HelpSection.Common
  @HelpSection.In(HelpSection.OUTPUT)
  @Option(names = "--curve", paramLabel = "FILE.svg", converter = SvgFile.class,
    description = "Draw what recomputation to each budget costs, from the floor to the peak; figures in FILE.csv. "
      + "Of a model, the budget is that of the plan.")
  private @Nullable Path curve;

  /** A drawing's name must tell what it is. */
  static final class SvgFile implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      if (!text.toLowerCase(Locale.ROOT).endsWith(ENDING)) {
        throw new TypeConversionException("unknown file extension: file=%s known=%s".formatted(text, ENDING));
      }
      return Path.of(text);
    }
  }

  /** The graph's file, where one was given. */
  public Optional<Path> csv() {
    return Optional.ofNullable(csv);
  }

  /** Where the curve is drawn. */
  public Optional<Path> curve() {
    return Optional.ofNullable(curve);
  }

  /** The curve's figures, beside the drawing. */
  public static Path figures(Path curve) {
    String name = String.valueOf(curve.getFileName());
    return curve.resolveSibling(name.substring(0, name.length() - ENDING.length()) + ".csv");
  }

  /** @throws IOException when the curve could not be written */
  public void requireWritable() throws IOException {
    if (curve != null) {
      WrittenFile.require(curve);
      WrittenFile.require(figures(curve));
    }
  }
}
