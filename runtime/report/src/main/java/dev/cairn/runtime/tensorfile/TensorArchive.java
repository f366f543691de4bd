package dev.cairn.runtime.tensorfile;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The formats of files that hold tensors by name, as their extensions name them. */
public enum TensorArchive {
  /** NumPy's archives, {@code .npz}; written uncompressed. */
  NPZ(".npz"),
  /** Hugging Face's format, {@code .safetensors}. */
  SAFETENSORS(".safetensors");

  private final String extension;

  TensorArchive(String extension) {
    this.extension = extension;
  }

  /** The format of a file by its extension; empty for other extensions. */
  public static Optional<TensorArchive> of(Path file) {
    for (TensorArchive format : values()) {
      if (file.toString().endsWith(format.extension)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /**
   * Reads all tensors of a file.
   *
   * @throws IllegalArgumentException when the file is damaged, or has a tensor that Cairn cannot hold
   */
  public Map<String, TensorView> read(Path file) throws IOException {
    return read(file, (_, _) -> {});
  }

  /**
   * Reads all tensors of a file, unless one is refused by name and type before its elements are read.
   *
   * @param requirement throws what refuses a tensor
   * @throws IllegalArgumentException when the file is damaged, or has a tensor that Cairn cannot hold
   */
  public Map<String, TensorView> read(Path file, BiConsumer<String, TensorType> requirement) throws IOException {
    return switch (this) {
      case NPZ -> NpzFile.read(file, requirement);
      case SAFETENSORS -> {
        Map<String, TensorView> tensors = SafetensorsFile.read(file).tensors();
        tensors.forEach((name, tensor) -> requirement.accept(name, tensor.type()));
        yield tensors;
      }
    };
  }

  /**
   * Writes tensors; a file of that name is replaced when the new one is complete.
   *
   * @throws IllegalArgumentException when the format lacks an element type
   */
  public void write(Map<String, TensorView> tensors, Path file) throws IOException {
    switch (this) {
      case NPZ -> NpzFile.write(tensors, file);
      case SAFETENSORS -> new SafetensorsFile(tensors, Map.of()).write(file);
    }
  }
}
