package dev.cairn.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** The place of the test data and the project's own files. */
final class SharedData {
  private SharedData() {}

  /** A file of the shared data; the test is skipped, and says so, where the data is not there. */
  static Path require(String name) {
    Path path = Path.of(System.getProperty("cairn.shared", "../../../shared")).resolve("data").resolve(name);
    assumeTrue(Files.exists(path), "skipped: no data: file=" + path);
    return path;
  }

  /** A file of the project, whether it is there or not. */
  static Path ofProject(String name) {
    return Path.of(System.getProperty("cairn.root", "../..")).resolve(name);
  }
}
