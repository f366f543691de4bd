package dev.cairn.runtime.onnx.encode;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The files of weights beside a model. Two files cannot be replaced at once, and a process may be killed between the
 * two: so the weights of a model that replaces another go into a file of another name, and the old weights go once the
 * new model is in its place. Each model reads its own weights at any moment.
 */
final class DataFiles {
  private final Path model;
  private final Path folder;
  private final Pattern names;

  DataFiles(Path model) throws IOException {
    // A link to a model stays a link, and weights lie beside its target.
    this.model = Files.exists(model) ? model.toRealPath() : model.toAbsolutePath();
    this.folder = this.model.resolveSibling("");
    this.names = Pattern.compile(Pattern.quote(String.valueOf(this.model.getFileName())) + "(\\.[0-9]+)?\\.data");
  }

  /** {@code model.onnx.data}, or {@code model.onnx.2.data} and so on where that is there. */
  Path unused() {
    Path file = model.resolveSibling(model.getFileName() + ".data");
    for (int number = 2; Files.exists(file); number++) {
      file = model.resolveSibling("%s.%d.data".formatted(model.getFileName(), number));
    }
    return file;
  }

  /** Deletes all but the one that the model reads now. */
  void deleteAllBut(Path used) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        boolean isOld = names.matcher(String.valueOf(file.getFileName())).matches();
        if (isOld && !file.getFileName().equals(used.getFileName()) && Files.isRegularFile(file)) {
          Files.delete(file);
        }
      }
    }
  }
}
