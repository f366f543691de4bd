package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.onnx.OnnxTensors;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.tensorfile.NpyFile;
import dev.cairn.runtime.tensorfile.TensorArchive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A file of tensors as it is written on the command line: {@code name:file.npy}, {@code name:file.pb} for a tensor of
 * ONNX, or {@code file.npz} and {@code file.safetensors}, which name their tensors. The name may have colons, the file
 * not.
 *
 * @param name of the tensor; null for a file that names its tensors
 */
public record NamedFile(@Nullable String name, Path file) implements FileArgument {
  @Override
  public List<Path> files() {
    return List.of(file);
  }

  /**
   * Reads them all.
   *
   * @return by name, in the order given
   * @throws IllegalArgumentException when two tensors have one name, or Cairn cannot read one
   */
  public static Map<String, TensorView> read(List<NamedFile> files) throws IOException {
    return read(files, (_, _) -> {});
  }

  /**
   * Reads them all, as inputs of a graph. Names and types are compared with the graph's before elements are read.
   *
   * @throws IllegalArgumentException as {@link #read(List)}, or when the graph has no such input
   */
  public static Map<String, TensorView> read(List<NamedFile> files, Graph graph) throws IOException {
    return read(files, (name, type) -> InputBinding.requireInput(graph, name, type));
  }

  private static Map<String, TensorView> read(List<NamedFile> files, BiConsumer<String, TensorType> requirement)
    throws IOException {
    Map<String, TensorView> arrays = new LinkedHashMap<>();
    for (NamedFile file : files) {
      WrittenFile.requireNoFolder(file.file());
      for (Map.Entry<String, TensorView> array : file.tensors(requirement).entrySet()) {
        if (arrays.put(array.getKey(), array.getValue()) != null) {
          throw new IllegalArgumentException("two files for one name: name=%s file=%s".formatted(array.getKey(), file
            .file()));
        }
      }
    }
    return arrays;
  }

  private Map<String, TensorView> tensors(BiConsumer<String, TensorType> requirement) throws IOException {
    Optional<TensorArchive> archive = TensorArchive.of(file);
    if (archive.isPresent()) {
      return archive.get().read(file, requirement);
    }
    String named = Objects.requireNonNull(name);
    return Map.of(named, tensor(type -> requirement.accept(named, type)));
  }

  private TensorView tensor(Consumer<TensorType> requirement) throws IOException {
    if (!file.toString().endsWith(".pb")) {
      return NpyFile.read(file, requirement);
    }
    try {
      TensorView tensor = OnnxTensors.read(file);
      requirement.accept(tensor.type());
      return tensor;
    } catch (InvalidModel e) {
      throw new IllegalArgumentException("not an ONNX tensor: " + e.getMessage(), e);
    }
  }

  /** For picocli. */
  public static final class Converter implements ITypeConverter<NamedFile> {
    @Override
    public NamedFile convert(String text) {
      int colon = text.lastIndexOf(':');
      if (TensorArchive.of(Path.of(text)).isPresent()) {
        if (colon >= 0) {
          throw new TypeConversionException("this file names its tensors itself: given=%s example=values.npz".formatted(
            text));
        }
        return new NamedFile(null, Path.of(text));
      }
      if (colon < 1 || colon == text.length() - 1) {
        throw new TypeConversionException("not a named file: given=%s example=input:values.npy".formatted(text));
      }
      return new NamedFile(text.substring(0, colon), Path.of(text.substring(colon + 1)));
    }
  }
}
