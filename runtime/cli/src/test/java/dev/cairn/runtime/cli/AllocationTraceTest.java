package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.RmmCsv;
import dev.cairn.allocator.trace.TraceNotes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run's allocations, recorded and played again. */
class AllocationTraceTest {
  @TempDir
  private Path folder = Path.of("");

  @Test
  void whatARunAllocatedIsReplayedUnderEachPolicy() throws IOException {
    Path file = folder.resolve("run.csv");
    JsonNode run = Outcome.parse(Outcome.ok("run", "mlp", "--iterations", "3", "--format", "json",
      "--record-allocations", file));
    AllocationTrace trace = RmmCsv.read(file);
    assertThat(trace.notes()).isEqualTo(TraceNotes.NONE);
    assertThat(trace.neverFreed()).isZero();
    assertThat(run.get("command").asString()).isEqualTo("run");
    JsonNode replay = Outcome.parse(Outcome.ok("mem", "replay", file, "--format", "json"));
    assertThat(replay.get("policies").size()).isGreaterThan(3);
    assertThat(Outcome.ok("mem", "replay", file)).contains("run.csv: ", " events, ");
    assertThat(trace.peakLiveBytes()).isGreaterThan(1 << 20);
  }

  @Test
  void aRunThatFailsLeavesAWholeFileWithTheFailure() throws IOException {
    Path file = folder.resolve("run.csv");
    Outcome.of("run", "mlp", "--memory-limit", "1MiB", "--record-allocations", file)
      .failedWith(ExitCode.OUT_OF_MEMORY, "limitBytes=1048576");
    AllocationTrace trace = RmmCsv.read(file);
    // The session asks, asks again when it is first in the queue, and after it gave up idle executors, and weights.
    assertThat(trace.notes().failures()).isEqualTo(4);
    assertThat(trace.neverFreed()).isZero();
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidBeforeAnythingRuns() {
    Path file = folder.resolve("none/run.csv");
    String said = Outcome.of("run", "mlp", "--record-allocations", file).err();
    assertThat(said).contains("none");
    assertThat(Files.exists(file)).isFalse();
  }
}
