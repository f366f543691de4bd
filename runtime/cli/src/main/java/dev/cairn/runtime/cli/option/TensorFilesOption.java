package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.tensorfile.TensorArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Files with reference outputs, and what a run writes. */
@HelpSection.In(HelpSection.OUTPUT)
public final class TensorFilesOption {
  @HelpSection.Common
  @Option(names = "--load-ref-outputs", paramLabel = "NAME:FILE.npy|FILE.npz", converter = NamedFile.Converter.class,
    description = "Compare an output with these values (.npy or .pb), or outputs with a file of their names "
      + "(.npz or .safetensors); exit 6 when one differs. May be repeated.")
  private List<NamedFile> references = new ArrayList<>();

  @Option(names = "--rtol", paramLabel = "X", defaultValue = "1e-3", converter = Bounded.Amount.class,
    description = "Relative tolerance. Default: ${DEFAULT-VALUE}.")
  private double rtol;

  @Option(names = "--atol", paramLabel = "X", defaultValue = "1e-5", converter = Bounded.Amount.class,
    description = "Absolute tolerance. Default: ${DEFAULT-VALUE}.")
  private double atol;

  @HelpSection.Common
  @Option(names = "--export-output", paramLabel = "FOLDER|FILE.npz",
    description = "Write every output to this folder as NAME.npy, or all to one file (.npz or .safetensors); strings "
      + "and sequences cannot be written.")
  private @Nullable Path outputs;

  @Option(names = "--export-times", paramLabel = "FILE",
    description = "Write the time of each run in nanoseconds, one per line.")
  private @Nullable Path times;

  public List<NamedFile> references() {
    return List.copyOf(references);
  }

  public double rtol() {
    return rtol;
  }

  public double atol() {
    return atol;
  }

  public @Nullable Path outputs() {
    return outputs;
  }

  public @Nullable Path times() {
    return times;
  }

  /** @throws IOException when what is to be written could not be */
  public void requireWritable() throws IOException {
    if (times != null) {
      WrittenFile.require(times);
    }
    if (outputs != null) {
      if (TensorArchive.of(outputs).isPresent()) {
        WrittenFile.require(outputs);
      } else {
        WrittenFile.requireFolder(outputs);
      }
    }
  }
}
