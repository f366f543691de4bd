package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.replay.ReplayPolicies;
import dev.cairn.allocator.replay.ReplayPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.trace.RmmCsv;
import dev.cairn.allocator.trace.TraceRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code cairn mem replay} on good files and on bad ones. */
class MemReplayTest {
  private static final String PROBLEM = "id,lower,upper,size\na,0,2,1024\nb,1,3,1048576\nc,2,4,2048\n";

  @TempDir
  private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static JsonNode json(Object... arguments) {
    Object[] all = new Object[arguments.length + 4];
    System.arraycopy(new Object[] {"mem", "replay", "--format", "json"}, 0, all, 0, 4);
    System.arraycopy(arguments, 0, all, 4, arguments.length);
    JsonNode document = Outcome.parse(Outcome.ok(all));
    assertThat(document.get("command").asString()).isEqualTo("mem replay");
    return document;
  }

  private Path recorded() throws IOException {
    Path log = folder.resolve("log.csv");
    try (TraceRecorder recorder = TraceRecorder.to(log);
      BfcAllocator allocator = new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT, recorder)) {
      long[] handles = new long[1000];
      for (int i = 0; i < handles.length; i++) {
        handles[i] = allocator.grant(1 + 37L * i * i % 100_000);
      }
      for (long handle : handles) {
        allocator.release(handle);
      }
    }
    return log;
  }

  @Test
  void aRecordedRunIsComparedUnderAllPolicies() throws IOException {
    String text = Outcome.ok("mem", "replay", recorded());
    assertThat(text).contains("trace    ", "log.csv: 2,000 events, 1,000 blocks", "live     peak 46.2",
      "limit    none");
    for (ReplayPolicy policy : ReplayPolicies.all()) {
      assertThat(text).containsPattern("(?m)^" + policy.name() + " +\\d");
    }
    assertThat(text.lines()).as("nothing to note").noneMatch(it -> it.startsWith("notes"));
    assertThat(text).doesNotContain("smallest pool", ReplayPolicies.all().getFirst().description());
    assertThat(Outcome.ok("mem", "replay", folder.resolve("log.csv"), "-v", "--min-pool")).contains("smallest pool",
      ReplayPolicies.all().getFirst().description());
  }

  @Test
  void theDocumentHasTheFiguresInBytes() throws IOException {
    JsonNode document = json(file("p.csv", PROBLEM), "--policy", "whole-exact,doubling", "--min-pool");
    assertThat(document.get("events").asInt()).isEqualTo(6);
    assertThat(document.get("peakLiveBytes").asLong()).isEqualTo(1048576 + 2048);
    JsonNode whole = document.get("policies").get(0);
    assertThat(whole.get("policy").asString()).isEqualTo("whole-exact");
    assertThat(whole.get("peakReservedBytes").asLong()).isEqualTo(whole.get("smallestPoolBytes").asLong()).isEqualTo(
      whole.get("limitBytes").asLong()).isEqualTo(1024 + 1048576 + 2048);
    assertThat(whole.get("peakRegions").asInt()).isEqualTo(1);
    JsonNode doubling = document.get("policies").get(1);
    assertThat(doubling.get("peakReservedBytes").asLong()).isEqualTo(6 << 20);
    assertThat(doubling.has("limitBytes")).isFalse();
    assertThat(doubling.get("refusals").asInt()).isZero();
    assertThat(doubling.get("eventsPerSecond").asDouble()).isPositive();
    assertThat(document.get("policies").size()).isEqualTo(2);
  }

  @Test
  void sizesAreScaled() throws IOException {
    assertThat(json(file("p.csv", PROBLEM), "--scale", 256, "--policy", "doubling").get("peakLiveBytes").asLong())
      .isEqualTo(256L * (1048576 + 2048));
    Outcome.of("mem", "replay", file("q.csv", PROBLEM.replace("1048576", "9223372036850000000")), "--scale", 2)
      .failedWith(ExitCode.USAGE, "bytes=9223372036850000000", "--scale");
  }

  @Test
  void pyTorchPlotDataIsReadPlainAndInAPage() throws IOException {
    String data = "{\"actions\": [0, 1, 0], \"elements_size\": [512, 1024]}";
    for (Path file : List.of(file("a.json", data), file("a.html", "<script>var alloc_data = " + data + ";</script>"))) {
      assertThat(json(file, "--policy", "doubling").get("peakLiveBytes").asLong()).isEqualTo(1536);
      assertThat(json(file, "--policy", "doubling", "--trace-format", "PyTorch").get("neverFreed").asInt()).isEqualTo(
        1);
    }
  }

  @Test
  void whatIsOddInALogIsNoted() throws IOException {
    assertThat(Outcome.ok("mem", "replay", file("odd.csv", RmmCsv.HEADER + """

      1,t,free,0x1,100,0
      1,t,allocate,0x2,100,0
      1,t,allocate,0x2,100,0
      1,t,free,0x1,100,0
      1,t,allocate,0x0,0,0
      1,t,allocate failure,0x0,1,0
      """))).contains("notes    1 held before the trace began; 1 with a free that is missing; 1 freed when free, left "
      + "out; 1 of no bytes, left out; 1 refused when recorded, left out");
  }

  @Test
  void anEmptyTraceTakesNothing() throws IOException {
    assertThat(json(file("empty.csv", RmmCsv.HEADER)).get("policies").get(0).get("peakReservedBytes").asLong())
      .isZero();
  }

  @Test
  void refusalsAreToldAndWhereNoPolicyServesItIsOutOfMemory() throws IOException {
    Path log = recorded();
    Outcome tight = Outcome.of("mem", "replay", log, "--limit", "48MiB");
    assertThat(tight.code()).isZero();
    assertThat(tight.out()).contains("limit    48.0 MiB");
    Outcome outcome = Outcome.of("mem", "replay", log, "--limit", "1MiB", "--format", "json");
    outcome.failedWith(ExitCode.OUT_OF_MEMORY, "no policy serves", "peak live 46.2", "limit 1.0 MiB", "--min-pool");
    Outcome.parse(outcome.out()).get("policies").forEach(policy -> {
      assertThat(policy.get("refusals").asInt()).isPositive();
      assertThat(policy.get("peakReservedBytes").asLong()).isLessThanOrEqualTo(1 << 20);
    });
  }

  @Test
  void filesThatAreNoTraces() throws IOException {
    Outcome.of("mem", "replay", folder.resolve("none.csv")).failedWith(ExitCode.INVALID_MODEL,
      "the trace cannot be read", "none.csv: no such file");
    Outcome.of("mem", "replay", folder).failedWith(ExitCode.INVALID_MODEL, "a folder");
    Outcome.of("mem", "replay", file("e.csv", "")).failedWith(ExitCode.INVALID_MODEL, "e.csv: the file is empty");
    Outcome.of("mem", "replay", file("x.bin", "\u0000\u0001\u0002")).failedWith(ExitCode.INVALID_MODEL,
      "unknown format", "--trace-format");
    Outcome.of("mem", "replay", file("l.csv", RmmCsv.HEADER + "\n1,t,allocate,0x1,-3,0\n")).failedWith(
      ExitCode.INVALID_MODEL, "line=2", "negative: column=Size value=-3");
    Outcome.of("mem", "replay", file("c.json", "{\"actions\": [0, 1")).failedWith(ExitCode.INVALID_MODEL, "bad JSON",
      "line=1");
    Outcome.of("mem", "replay", file("p.csv", PROBLEM), "--trace-format", "rmm").failedWith(ExitCode.INVALID_MODEL,
      "column is missing: column=action");
    Outcome.of("mem", "replay", file("h.csv", PROBLEM.replace("1024", "9223372036854775807"))).failedWith(
      ExitCode.INVALID_MODEL, "impossible sizes");
  }

  @Test
  void linesThatAreNotUnderstood() throws IOException {
    Path file = file("p.csv", PROBLEM);
    Outcome.of("mem").failedWith(ExitCode.USAGE, "known=", "replay", "cairn help mem");
    Outcome.of("mem", "replay").failedWith(ExitCode.USAGE, "TRACE", "see 'cairn mem replay --help'");
    Outcome.of("mem", "replay", file, "--policy", "best").failedWith(ExitCode.USAGE, "given=best", "known=doubling,");
    Outcome.of("mem", "replay", file, "--limit", "much").failedWith(ExitCode.USAGE, "given=much");
    Outcome.of("mem", "replay", file, "--scale", "0").failedWith(ExitCode.USAGE, "too small: given=0");
    Outcome.of("mem", "replay", file, "--trace-format", "csv").failedWith(ExitCode.USAGE, "csv", "MINIMALLOC");
    Outcome.of("run", "--seed").failedWith(ExitCode.USAGE, "cairn help run");
    assertThat(Outcome.ok("mem", "replay", "--help")).contains("Usage: cairn mem replay", "--trace-format",
      "doubling-exact");
    assertThat(Outcome.ok("mem", "--help")).contains("  replay  ");
  }
}
