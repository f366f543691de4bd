package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFiguresTest {
  @TempDir
  private Path root;

  private void launcher(String script) throws IOException {
    Path file = Files.writeString(root.resolve("cairn"), "#!/bin/sh\n" + script + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  @Test
  void theFirstProcessIsNotTimed() throws IOException, InterruptedException {
    launcher("echo \"$@\" >> \"$(dirname \"$0\")/calls\"");
    MachineFigures figures = MachineFigures.measured(root, 2);
    assertEquals(2, figures.firstResult().values().size());
    assertTrue(figures.firstResult().min() > 0 && figures.kernels().contains("portable"), figures.toString());
    assertEquals("run mlp --warmup 0 --iterations 1\n".repeat(3), Files.readString(root.resolve("calls")));
  }

  @Test
  void aLauncherThatFailsIsNoFigure() throws IOException {
    launcher("exit 3");
    var failure = assertThrows(IllegalStateException.class, () -> MachineFigures.measured(root, 1));
    assertTrue(String.valueOf(failure.getMessage()).contains("exit=3"), failure.getMessage());
  }
}
