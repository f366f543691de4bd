package dev.cairn.runtime.memory;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the page on planning compile against this module alone, and print what the page says. */
class PlanningPageTest {
  @TempDir
  private Path folder;

  @Test
  void theJavaExamplesCompileAndRun() throws Exception {
    new PageExamples(folder, List.of("", "order", "planner.inductor", "planner.inductor.size", "planner.nnvm",
      "planner.search")).check("planning.md", 4);
  }
}
