package dev.cairn.runtime.memory.planner;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Problems recorded from real networks and published as benchmarks; they lie outside the project. */
public final class RecordedProblems {
  public static final List<String> UNDER_2000_BUFFERS = List.of("minimalloc/examples/input.12.csv", challenging("A"),
    challenging("B"), challenging("C"), challenging("D"), challenging("E"), challenging("F"), challenging("G"),
    challenging("H"), challenging("I"), challenging("J"), challenging("K"), "idealloc/G_1.csv",
    "idealloc/resnet50.csv");

  private RecordedProblems() {}

  public static String challenging(String letter) {
    return "minimalloc/challenging/" + letter + ".1048576.csv";
  }

  /** The file, or the calling test is skipped and says so. */
  public static Path file(String name) {
    String shared = System.getProperty("cairn.shared", "");
    Path file = Path.of(shared, "data", name);
    boolean there = !shared.isEmpty() && Files.exists(file);
    if (!there) {
      System.out.println("skipped: no data: " + name);
    }
    Assumptions.assumeTrue(there, "skipped: no data: " + name);
    return file;
  }
}
