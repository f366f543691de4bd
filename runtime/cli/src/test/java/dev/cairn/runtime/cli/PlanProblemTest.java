package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanValidator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code cairn plan --csv}: problems by themselves. */
class PlanProblemTest {
  private static final String PROBLEM = "id,lower,upper,size\na,0,2,1024\nb,1,3,2048\nc,2,4,1024\n";

  @TempDir
  private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("problem.csv"), text);
  }

  @Test
  void aProblemIsPlannedAndTold() throws IOException {
    String text = Outcome.ok("plan", "--csv", file(PROBLEM));
    assertThat(text).contains("problem.csv: 3 buffers, times to 4", "plan     peak 3,072 by ",
      "bound    3,072, the peak is 1.0000 times that: no plan is smaller").doesNotContain("verdict", "wrote");
    JsonNode document = Outcome.json("plan", "--csv", file(PROBLEM), "--planner", "naive");
    assertThat(document.get("peakBytes").asLong()).isEqualTo(4096);
    assertThat(document.get("lowerBoundBytes").asLong()).isEqualTo(3072);
    assertThat(document.get("optimal").asBoolean()).isFalse();
    assertThat(document.get("fits").asBoolean()).isTrue();
  }

  @Test
  void theExitCodeTellsWhetherItFits() throws IOException {
    Path file = file(PROBLEM);
    assertThat(Outcome.ok("plan", "--csv", file, "--capacity", 3072)).contains("verdict  fits 3072, 0 left");
    Outcome outcome = Outcome.of("plan", "--csv", file, "--capacity", 3071);
    outcome.failedWith(ExitCode.OUT_OF_MEMORY, "the problem cannot fit the capacity",
      "needs 3072, capacity 3071, short by 1; no plan that runs each step once and copies nothing takes less than 3072",
      "raise --capacity to 3072 (no plan that runs each step once and copies nothing takes less)");
    assertThat(outcome.out()).contains("verdict  does not fit 3071, short by 1",
      "at peak  step 1 holds 3072 in 2 buffers, the largest:", "         2048  b\n         1024  a\nto fit   raise ");
    Outcome.of("plan", "--csv", file, "--capacity", "3KiB", "--planner", "naive", "--budget", "1s").failedWith(
      ExitCode.OUT_OF_MEMORY, "no plan was found", "a longer --budget, or no --planner", "raise --capacity to 4096");
  }

  @Test
  void eachDeviceHasTheCapacity() throws IOException {
    Path file = file("id,lower,upper,size,device\na,0,2,100,0\nb,0,2,70,1\nc,1,2,30,1\nd,1,2,20,1\n");
    assertThat(Outcome.ok("plan", "--csv", file, "--capacity", 125)).contains("verdict  fits 125 of device 1, 5 left");
    Outcome outcome = Outcome.of("plan", "--csv", file, "--capacity", 110, "--format", "json").failedWith(
      ExitCode.OUT_OF_MEMORY, "cannot fit", "needs 120 of device 1, capacity 110, short by 10",
      "raise --capacity to 120 for device 1 (no plan that runs each step once and copies nothing takes less)");
    JsonNode document = Outcome.parse(outcome.out());
    assertThat(document.get("leastBytes").asLong()).isEqualTo(120);
    assertThat(document.get("peakStep").asInt()).isEqualTo(1);
    assertThat(document.get("atPeak").findValuesAsString("name")).containsExactly("b", "c", "d");
  }

  @Test
  void theExportHasTheRowsAndAColumnOfOffsets() throws IOException {
    Path out = folder.resolve("out.csv");
    assertThat(Outcome.ok("plan", "--csv", file(PROBLEM), "--export", out)).contains("wrote    " + out);
    List<String> lines = Files.readAllLines(out);
    assertThat(lines).hasSize(4).first().isEqualTo("id,lower,upper,size,offset");
    assertThat(String.join("\n", lines.stream().map(it -> it.substring(0, it.lastIndexOf(','))).toList()) + "\n")
      .isEqualTo(PROBLEM);
    Outcome.of("plan", "--csv", file(PROBLEM), "--capacity", 1, "--export", out).failedWith(ExitCode.OUT_OF_MEMORY);
    assertThat(Files.readAllLines(out)).as("the plan all the same").hasSize(4);
  }

  @Test
  void exportsAreValidPlans() throws IOException {
    var random = new Random(4);
    for (int round = 0; round < 20; round++) {
      List<Buffer> buffers = new ArrayList<>();
      StringBuilder text = new StringBuilder("size,upper,id,lower,alignment\n");
      for (int i = 0; i < 1 + round * 10; i++) {
        int first = random.nextInt(50);
        var life = new Lifetime(first, first + 1 + random.nextInt(20));
        Buffer buffer = Buffer.of("b" + i, random.nextInt(5000), life).withAlignment(1L << random.nextInt(7));
        buffers.add(buffer.exact());
        text.append(buffer.bytes()).append(',').append(life.end()).append(',').append(buffer.name()).append(',')
          .append(first).append(", ").append(buffer.alignment()).append(round % 2 == 0 ? "\n" : "\r\n\n");
      }
      Path out = folder.resolve("out.csv");
      Outcome.ok("plan", "--csv", file(text.toString()), "--export", out, "--budget", "5ms");
      List<String> lines = Files.readAllLines(out);
      List<String> columns = List.of(lines.getFirst().split(",", -1));
      long[] offsets = lines.stream().skip(1)
        .mapToLong(it -> Long.parseLong(it.split(",", -1)[columns.indexOf("offset")]))
        .toArray();
      var problem = new MemoryProblem(buffers);
      PlanValidator.requireValid(problem, MemoryPlan.inOneArena("file", problem, offsets));
    }
  }

  @Test
  void fixedOffsetsAndGapsAreKept() throws IOException {
    Path out = folder.resolve("out.csv");
    Path file = file("id,lower,upper,size,gaps,offset\na,0,9,100,2-4,64\nb,2,4,100,,\nc,0,9,64,,\n");
    Outcome.ok("plan", "--csv", file, "--export", out, "--capacity", 164);
    assertThat(out).content(StandardCharsets.UTF_8).isEqualTo(
      "id,lower,upper,size,gaps,offset\na,0,9,100,2-4,64\nb,2,4,100,,64\nc,0,9,64,,0\n");
    Outcome.of("plan", "--csv", file, "--planner", "reuse").failedWith(ExitCode.USAGE,
      "does not support the problem's features", "fixed offsets", "omit --planner");
  }

  @Test
  void aHardProblemIsSolved() throws IOException {
    Path data = Path.of(System.getProperty("cairn.shared", ""), "data/minimalloc/challenging/C.1048576.csv");
    assumeTrue(Files.exists(data), () -> "skipped: no data: " + data);
    assertThat(Outcome.ok("plan", "--csv", data, "--capacity", 1_048_576, "--budget", "60m")).contains(
      "verdict  fits 1048576");
  }

  @Test
  void itIsDrawnToo() throws IOException {
    Path svg = folder.resolve("p.svg");
    Path html = folder.resolve("p.html");
    Outcome.ok("plan", "--csv", file(PROBLEM), "--svg", svg, "--html", html);
    assertThat(svg).content(StandardCharsets.UTF_8).contains(">problem.csv<", "time [1, 3), 2 long");
    assertThat(html).content(StandardCharsets.UTF_8).contains("Memory plan of problem.csv").doesNotContain("Planners");
  }

  @Test
  void noBuffersFitAnything() throws IOException {
    assertThat(Outcome.ok("plan", "--csv", file("id,lower,upper,size\n"), "--capacity", 0, "--svg", folder.resolve(
      "p.svg"))).contains("0 buffers", "verdict  fits 0, 0 left");
  }

  @Test
  void badFilesAreToldWithTheLine() throws IOException {
    String[][] cases = {{PROBLEM.replace("1,3", "1,x"), "line=3", "value=x"}, {PROBLEM.replace("1,3", "3,3"), "line=3",
      "empty lifetime"}, {PROBLEM.replace("b,1,3,2048", "b,1,3"), "line=3", "cells=3 columns=4"},
      {PROBLEM.replace(
        "1024", "-1"), "line=2", "negative"},
      {PROBLEM.replace("b,", "a,"), "two buffers with one name: buffer=a"}, {"",
        "line=1"},
      {"name,size\n", "line=1"}, {PROBLEM.replace("1024", "9223372036854775807"), "overflow"}};
    for (String[] it : cases) {
      Outcome outcome = Outcome.of("plan", "--csv", file(it[0])).failedWith(ExitCode.INVALID_MODEL,
        "the problem cannot be read", "problem.csv: ");
      for (int fact = 1; fact < it.length; fact++) {
        assertThat(outcome.err()).contains(it[fact]);
      }
      assertThat(outcome.out()).isEmpty();
    }
  }

  @Test
  void filesThatAreNoProblems() throws IOException {
    Outcome.of("plan", "--csv", folder.resolve("none.csv")).failedWith(ExitCode.INVALID_MODEL, "no such file");
    Outcome.of("plan", "--csv", folder).failedWith(ExitCode.INVALID_MODEL, "a folder");
    Path binary = Files.write(folder.resolve("x.csv"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    Outcome.of("plan", "--csv", binary).failedWith(ExitCode.INVALID_MODEL, "not UTF-8 text");
  }
}
