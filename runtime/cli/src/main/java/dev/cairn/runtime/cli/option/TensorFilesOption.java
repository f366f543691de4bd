package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.tensorfile.TensorArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Files with reference outputs, and what a run writes. */
@HelpSection.In(HelpSection.OUTPUT)
public final class TensorFilesOption {
  @HelpSection.Common
  @FileUse(FileUse.Kind.READ)
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
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--export-output", paramLabel = "FOLDER|FILE.npz", converter = OutputPlace.Converter.class,
    description = "Write every output to this folder as NAME.npy, or all to one file (.npz or .safetensors); strings "
      + "and sequences cannot be written.")
  private @Nullable OutputPlace outputs;

  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--export-times", paramLabel = "FILE",
    description = "Write the time of each run in nanoseconds, one per line.")
  private @Nullable Path times;

  /**
   * Where outputs go.
   *
   * @param path a folder, or an archive if it has the ending of one
   */
  record OutputPlace(Path path) implements FileArgument {
    @Override
    public List<Path> files() {
      return List.of(path);
    }

    @Override
    public void requireWritable() throws IOException {
      if (TensorArchive.of(path).isPresent()) {
        WrittenFile.require(path);
      } else {
        WrittenFile.requireFolder(path);
      }
    }

    /** For picocli. */
    static final class Converter implements ITypeConverter<OutputPlace> {
      @Override
      public OutputPlace convert(String text) {
        return new OutputPlace(Path.of(text));
      }
    }
  }

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
    return outputs == null ? null : outputs.path();
  }

  public @Nullable Path times() {
    return times;
  }
}
