package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a refusal for lack of memory advises is done, once, and it works. */
class FollowedAdviceTest {
  private static final Pattern LIMIT = Pattern.compile("raise --memory-limit to (\\d+)");

  @TempDir
  private Path folder = Path.of("");

  private static long advisedLimit(Outcome refused) {
    Matcher limit = LIMIT.matcher(refused.err());
    assertThat(limit.find()).as(refused.err()).isTrue();
    return Long.parseLong(limit.group(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"80MiB", "97.4MiB", "0"})
  void theLimitIsRaisedOnce(String limit) {
    Outcome refused = Outcome.of("run", "resnet50", "--memory-limit", limit).failedWith(ExitCode.OUT_OF_MEMORY);
    assertThat(refused.err()).doesNotContain("smaller batch", "recompute", "reserve");
    long advised = advisedLimit(refused);
    assertThat(refused.err()).contains("- raise the limit by ", "(" + advised + " B)");
    assertThat(Outcome.json("plan", "resnet50", "--memory-limit", advised).get("needs").get("totalBytes").asLong())
      .isEqualTo(advised);
    Outcome.ok("run", "resnet50", "--iterations", 1, "--warmup", 0, "--memory-limit", advised);
    Outcome less = Outcome.of("run", "resnet50", "--memory-limit", advised - 256).failedWith(ExitCode.OUT_OF_MEMORY);
    assertThat(advisedLimit(less)).isEqualTo(advised);
  }

  @Test
  void planIsAskedWhatElseWouldDo() throws IOException {
    Path model = SmallModels.open(folder);
    Object[] options = {model, "--shapes", "x:9000x3", "--memory-limit", "64KiB"};
    Outcome refused = Outcome.of("run", options[0], options[1], options[2], options[3], options[4]).failedWith(
      ExitCode.OUT_OF_MEMORY, "'cairn plan'");
    Outcome plan = Outcome.of("plan", options[0], options[1], options[2], options[3], options[4]).failedWith(
      ExitCode.OUT_OF_MEMORY, "raise --memory-limit to " + advisedLimit(refused));
    Matcher smaller = Pattern.compile("--shapes (x:\\d+x3) needs").matcher(plan.err());
    assertThat(smaller.find()).as(plan.err()).isTrue();
    Outcome.ok("run", model, "--shapes", smaller.group(1), "--memory-limit", "64KiB");
  }

  @Test
  void aModelThatHasNoPlanIsToldWhatTheOneRequestLacks() throws IOException {
    Outcome.of("run", SmallModels.counted(folder), "--memory-limit", 1).failedWith(ExitCode.OUT_OF_MEMORY,
      "raise the memory limit by ", "the least limit is not known");
  }
}
