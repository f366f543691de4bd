package dev.cairn.runtime.cli.option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A graph of recomputation that is planned instead of a model, and where its curve goes. */
public final class RematOption {
  @Option(names = "--remat-csv", paramLabel = "FILE",
    description = "Plan which nodes of this graph run again, instead of a model: columns "
      + "id,name,phase,cost,bytes,reads. With --capacity BYTES or PERCENT of the peak in the file's order.")
  private @Nullable Path csv;

  @Option(names = "--curve", paramLabel = "FILE.svg",
    description = "Draw what recomputation to each budget costs, from the floor to the peak; figures in FILE.csv. "
      + "Of a model, the budget is that of the plan.")
  private @Nullable Path curve;

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
    return curve.resolveSibling((name.endsWith(".svg") ? name.substring(0, name.length() - 4) : name) + ".csv");
  }

  /** @throws IOException when the curve could not be written */
  public void requireWritable() throws IOException {
    if (curve != null) {
      WrittenFile.require(curve);
      WrittenFile.require(figures(curve));
    }
  }
}
