package dev.cairn.benchmarks.harness;

import java.nio.file.Path;

/**
 * The place of things.
 *
 * @param root of the project
 * @param shared folder of data that is not part of the project; may be absent
 */
public record Places(Path root, Path shared) {
  /** A page of figures. */
  public Path page(String benchmark) {
    return root.resolve("docs/benchmarks").resolve(benchmark + ".md");
  }

  /** A file or folder of data, whether it is there or not. */
  public Path data(String name) {
    return shared.resolve("data").resolve(name);
  }
}
