package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.tensorfile.NpyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files that a run's outputs are exported to, one for each.
 *
 * @param byOutput the file of each output
 */
record OutputFiles(Path folder, Map<String, Path> byOutput) {
  private static final int MOST_NAME_BYTES = 255;

  /**
   * Chooses the names: those of the outputs, as far as a file may have them.
   *
   * @throws Failure.Known when a name is longer than a file's may be
   */
  static OutputFiles in(Path folder, List<String> outputs) {
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

  /** Writes them all; each appears when it is complete. */
  void write(Result result) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, Path> file : byOutput.entrySet()) {
      if (!(result.value(file.getKey()) instanceof Tensor tensor) || tensor.dtype() == DType.STRING) {
        throw new Failure.Known(ExitCode.USAGE, "only tensors of numbers can be exported", "output=" + file.getKey(),
          "omit --export-output: the report has the first values");
      }
      NpyFile.write(tensor.view(), file.getValue());
    }
  }
}
