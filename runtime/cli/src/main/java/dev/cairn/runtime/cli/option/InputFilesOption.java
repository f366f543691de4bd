package dev.cairn.runtime.cli.option;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Files with the values of inputs. */
@HelpSection.In(HelpSection.MODEL)
public final class InputFilesOption {
  @HelpSection.Common
  @FileUse(FileUse.Kind.READ)
  @Option(names = "--load-inputs", paramLabel = "NAME:FILE.npy|FILE.npz", converter = NamedFile.Converter.class,
    description = "Read an input from a NumPy file of numbers, or an ONNX (.pb) file of one tensor of numbers or "
      + "strings; or all inputs of a file with names (.npz or .safetensors). Inputs without a file are generated. "
      + "May be repeated.")
  private List<NamedFile> inputs = new ArrayList<>();

  public List<NamedFile> inputs() {
    return List.copyOf(inputs);
  }
}
