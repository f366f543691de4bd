package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.tensorfile.NpyFile;
import dev.cairn.runtime.tensorfile.TensorArchive;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Where a run's outputs are exported to: one file for each in a folder, or one archive of all.
 *
 * @param place the folder or the archive
 * @param byOutput the file of each output
 */
record OutputFiles(Path place, Map<String, Path> byOutput) {
  private static final int MOST_NAME_BYTES = 255;

  /**
   * An archive where the place has the extension of one, otherwise a folder.
   *
   * @throws Failure.Known when a name is longer than a file's may be
   */
  static OutputFiles at(Path place, List<String> outputs) {
    if (TensorArchive.of(place).isEmpty()) {
      return in(place, outputs);
    }
    Map<String, Path> files = new LinkedHashMap<>();
    outputs.forEach(it -> files.put(it, place));
    return new OutputFiles(place, files);
  }

  /**
   * Chooses the names: those of the outputs, as far as a file may have them.
   *
   * @throws Failure.Known when a name is longer than a file's may be
   */
  private static OutputFiles in(Path folder, List<String> outputs) {
    Map<String, Path> files = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    for (String name : outputs) {
      String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
      String file = plain + ".npy";
      for (int number = 2; !taken.add(file); number++) {
        file = plain + "_" + number + ".npy";
      }
      int bytes = file.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MOST_NAME_BYTES) {
        throw new Failure.Known(ExitCode.USAGE, "an output's name is too long for a file name",
          "output=%s bytes=%d most=%d".formatted(name, bytes, MOST_NAME_BYTES),
          "omit --export-output, or rename the output in the model");
      }
      files.put(name, folder.resolve(file));
    }
    return new OutputFiles(folder, files);
  }

  /** Writes them all; each file appears when it is complete. */
  void write(Result result) throws IOException {
    Map<String, TensorView> tensors = new LinkedHashMap<>();
    for (String name : byOutput.keySet()) {
      if (!(result.value(name) instanceof Tensor tensor) || tensor.dtype() == DType.STRING) {
        throw new Failure.Known(ExitCode.USAGE, "only tensors of numbers can be exported", "output=" + name,
          "omit --export-output: the report has the first values");
      }
      tensors.put(name, tensor.view());
    }
    Optional<TensorArchive> archive = TensorArchive.of(place);
    if (archive.isPresent()) {
      archive.get().write(tensors, place);
      return;
    }
    Files.createDirectories(place);
    for (Map.Entry<String, Path> file : byOutput.entrySet()) {
      NpyFile.write(Objects.requireNonNull(tensors.get(file.getKey())), file.getValue());
    }
  }
}
