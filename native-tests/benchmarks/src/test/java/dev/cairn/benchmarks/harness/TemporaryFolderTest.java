package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TemporaryFolderTest {
  @Test
  void clearingKeepsTheFolderAndClosingDoesNot() throws IOException {
    Path path;
    try (var folder = new TemporaryFolder()) {
      path = folder.path();
      Files.writeString(path.resolve("a"), "1");
      folder.clear();
      assertTrue(Files.isDirectory(path));
      try (var files = Files.list(path)) {
        assertEquals(0, files.count());
      }
      Files.writeString(path.resolve("b"), "2");
    }
    assertFalse(Files.exists(path));
  }
}
