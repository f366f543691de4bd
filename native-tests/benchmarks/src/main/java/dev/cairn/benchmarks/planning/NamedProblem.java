package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.ProblemCsv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A problem and its name. */
record NamedProblem(String name, MemoryProblem problem) {
  /** The capacity that each of the hard sets fits. */
  static final long HARD_CAPACITY = 1_048_576;

  private static final List<String> HARD = List.of("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K");

  /** The eleven challenging problems of MiniMalloc (ASPLOS 2023), those whose files are there. */
  static List<NamedProblem> hard(Places places) {
    return HARD.stream().flatMap(it -> read(places, it, "minimalloc/challenging/%s.1048576.csv".formatted(it)).stream())
      .toList();
  }

  /** Traces of training runs from idealloc, those whose files are there. */
  static List<NamedProblem> traces(Places places) {
    List<NamedProblem> traces = new ArrayList<>();
    for (TrainingTrace it : TrainingTrace.ALL) {
      traces.addAll(read(places, it.title(), "idealloc/" + it.file()));
    }
    return List.copyOf(traces);
  }

  private static List<NamedProblem> read(Places places, String name, String file) {
    Path path = places.data(file);
    if (!Files.exists(path)) {
      System.err.printf("%s skipped: no data%n", name);
      return List.of();
    }
    try {
      return List.of(new NamedProblem(name, ProblemCsv.read(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
