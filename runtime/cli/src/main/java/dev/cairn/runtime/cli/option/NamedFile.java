package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.InvalidModel;
import dev.cairn.runtime.onnx.OnnxTensors;
import dev.cairn.runtime.tensorfile.NpyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A tensor's file as it is written on the command line: {@code name:file.npy}, or {@code name:file.pb} for a tensor of
 * ONNX. The name may have colons, the file not.
 */
public record NamedFile(String name, Path file) {

  /**
   * Reads them all.
   *
   * @return by name, in the order given
   * @throws IllegalArgumentException when two have one name, or one is no array that Cairn can hold
   */
  public static Map<String, TensorView> read(List<NamedFile> files) throws IOException {
    Map<String, TensorView> arrays = new LinkedHashMap<>();
    for (NamedFile file : files) {
      WrittenFile.requireNoFolder(file.file());
      if (arrays.put(file.name(), file.tensor()) != null) {
        throw new IllegalArgumentException(
          "two files for one name: name=%s file=%s".formatted(file.name(), file.file()));
      }
    }
    return arrays;
  }

  private TensorView tensor() throws IOException {
    if (!file.toString().endsWith(".pb")) {
      return NpyFile.read(file);
    }
    try {
      return OnnxTensors.read(file);
    } catch (InvalidModel e) {
      throw new IllegalArgumentException("not an ONNX tensor: " + e.getMessage(), e);
    }
  }

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
