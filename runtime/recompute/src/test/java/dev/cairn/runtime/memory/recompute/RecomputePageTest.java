package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.PageExamples;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the page on recomputation compile against this module alone, and print what the page says. */
class RecomputePageTest {
  @TempDir
  private Path folder;

  @Test
  void theJavaExamplesCompileAndRun() throws Exception {
    new PageExamples(folder, List.of("", "order", "recompute", "recompute.grappler", "recompute.search")).check(
      "recompute.md", 2);
  }
}
