package dev.cairn.benchmarks.fragmentation;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.MiniMallocCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A trace and its name. */
record NamedTrace(String name, AllocationTrace trace) {
  /** The eleven challenging problems of MiniMalloc (ASPLOS 2023). */
  static final List<String> NAMES = List.of("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K");
  /** The problems' sizes are units of a small memory: times this they are whole chunks, and 256 MiB in all. */
  static final int BYTES_OF_A_UNIT = 256;

  /** Those whose files are in {@code folder}, in the order of {@link #NAMES}. */
  static List<NamedTrace> read(Path folder) throws IOException {
    List<NamedTrace> traces = new ArrayList<>();
    for (String name : NAMES) {
      Path file = folder.resolve(name + ".1048576.csv");
      if (Files.exists(file)) {
        traces.add(new NamedTrace(name, MiniMallocCsv.read(file).scaled(BYTES_OF_A_UNIT)));
      }
    }
    return List.copyOf(traces);
  }
}
