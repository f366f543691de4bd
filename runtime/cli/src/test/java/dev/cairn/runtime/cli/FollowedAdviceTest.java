package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

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

  /** Below the weights, a little more than the weights, and nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"200KiB", "245KiB", "0"})
  void theLimitIsRaisedOnce(String limit) {
    requireAdviceThatWorks("lenet", limit);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"80MiB", "97.4MiB", "0"})
  void theLimitOfALargeModelIsRaisedOnce(String limit) {
    requireAdviceThatWorks("resnet50", limit);
  }

  private static void requireAdviceThatWorks(String model, String limit) {
    Outcome refused = Outcome.of("run", model, "--memory-limit", limit).failedWith(ExitCode.OUT_OF_MEMORY);
    assertThat(refused.err()).doesNotContain("smaller batch", "recompute", "reserve");
    long advised = advisedLimit(refused);
    assertThat(refused.err()).contains("- raise the limit by ", "(" + advised + " B)");
    assertThat(Outcome.json("plan", model, "--memory-limit", advised).get("needs").get("totalBytes").asLong())
      .isEqualTo(advised);
    Outcome.ok("run", model, "--iterations", 1, "--warmup", 0, "--memory-limit", advised);
    Outcome less = Outcome.of("run", model, "--memory-limit", advised - 256).failedWith(ExitCode.OUT_OF_MEMORY);
    assertThat(advisedLimit(less)).isEqualTo(advised);
  }

  /** What the verb does with these words; where it runs the model, once. */
  private static Object[] once(String verb, Object... words) {
    Stream<Object> how = verb.equals("plan") ? Stream.of() : Stream.of("--iterations", 1, "--warmup", 0);
    return Stream.of(Stream.<Object>of(verb), Stream.of(words), how).flatMap(it -> it).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "bench", "plan"})
  void aPartOfThePlanIsALimitThatRecomputationsKeep(String verb) throws IOException {
    Path model = SmallModels.held(folder);
    assertThat(Outcome.ok(once(verb, model, "--memory-limit", "100%"))).doesNotContain("limit:");
    assertThat(Outcome.ok(once(verb, model, "--memory-limit", "90%"))).contains("limit: by recompute: 1 of ",
      " steps run again, +");
    JsonNode document = Outcome.json(once(verb, model, "--memory-limit", "90%"));
    JsonNode recompute = (verb.equals("bench") ? document : document.get("plan")).get("recompute");
    assertThat(recompute.get("fits").asBoolean()).isTrue();
    assertThat(document.has("measuredOverhead")).isEqualTo(verb.equals("bench"));
    assertThat(recompute.get("peakBytes").asLong())
      .isLessThanOrEqualTo(recompute.get("peakWithoutBytes").asLong() * 9 / 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "bench"})
  void recomputationsAreNamedWithTheirPriceAndWork(String verb) throws IOException {
    Path model = SmallModels.held(folder);
    Outcome off = Outcome.of(verb, model, "--memory-limit", "90%", "--recompute", "off").failedWith(
      ExitCode.OUT_OF_MEMORY, "or --recompute auto, which needs ", "by recompute: 1 of ", "'cairn plan'");
    assertThat(off.err()).contains("- use --recompute auto, which needs ");
    Outcome.ok(once(verb, model, "--memory-limit", "90%", "--recompute", "auto"));
    Outcome low = Outcome.of(verb, model, "--memory-limit", "60%").failedWith(ExitCode.OUT_OF_MEMORY);
    Matcher fits = Pattern.compile("raise --memory-limit to (\\d+), with which it fits by recompute: 1 of ").matcher(low
      .err());
    assertThat(fits.find()).as(low.err()).isTrue();
    assertThat(Long.parseLong(fits.group(1))).isLessThan(advisedLimit(low));
    assertThat(Outcome.ok(once("run", model, "--memory-limit", fits.group(1)))).contains("limit: by recompute: 1 of ");
    assertThat(Outcome.ok(once("run", model, "--memory-limit", advisedLimit(low)))).doesNotContain("limit:");
  }

  /** Modes that stream no weights name the same floor as {@code auto}, and what {@code auto} needs. */
  @ParameterizedTest
  @ValueSource(strings = {"tf", "mincut", "chen", "revolve", "mirror", "off"})
  void eachModeNamesATrueFloorAndWhatAutoNeeds(String mode) throws IOException {
    Path model = SmallModels.weighty(folder);
    Outcome refused = Outcome.of("plan", model, "--memory-limit", 4096, "--recompute", mode, "--format", "json")
      .unwrapped();
    assertThat(refused.code()).isEqualTo(ExitCode.OUT_OF_MEMORY.number());
    Matcher fits = Pattern.compile("--recompute auto --memory-limit (\\d+), which needs ").matcher(refused.err());
    assertThat(fits.find()).as(refused.err()).isTrue();
    JsonNode followed = Outcome.json("plan", model, "--recompute", "auto", "--memory-limit", fits.group(1));
    long needed = followed.get("needs").get("totalBytes").asLong();
    assertThat(needed).isLessThanOrEqualTo(Long.parseLong(fits.group(1)));
    assertThat(Outcome.ok(once("run", model, "--memory-limit", fits.group(1))))
      .contains("streamed from the model's file");
    long floor = Outcome.parse(refused.out()).get("leastBytes").asLong();
    if (mode.equals("off")) {
      assertThat(refused.err()).contains("no plan that runs each step once and copies nothing takes less than ");
    } else {
      assertThat(refused.err()).contains("no plan of these steps, whatever runs again or is copied, takes less than ");
      assertThat(floor).isEqualTo(followed.get("leastBytes").asLong()).isLessThanOrEqualTo(needed);
    }
    Outcome run = Outcome.of("run", model, "--memory-limit", 4096, "--recompute", mode).failedWith(
      ExitCode.OUT_OF_MEMORY,
      "--recompute auto --memory-limit " + fits.group(1));
    assertThat(run.err()).contains("use --recompute auto --memory-limit ");
  }

  /** Exit code 5, with the floor's bytes and what holds them. */
  @ParameterizedTest
  @ValueSource(strings = {"run", "bench", "plan"})
  void belowTheFloorItIsNamedWithWhatHoldsIt(String verb) throws IOException {
    Outcome refused = Outcome.of(verb, SmallModels.held(folder), "--memory-limit", "5%").failedWith(
      ExitCode.OUT_OF_MEMORY);
    assertThat(refused.out() + refused.err()).containsPattern(
      "no plan takes less than 2\\.0 MiB, at \\S+, which holds \\S+ float32\\[1024x256] 1\\.0 MiB, "
        + "\\S+ float32\\[256x1024] 1\\.0 MiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "bench", "plan"})
  void aPartNeedsAPlan(String verb) throws IOException {
    Outcome.of(verb, SmallModels.counted(folder), "--memory-limit", "50%").failedWith(ExitCode.USAGE,
      "--memory-limit in percent is a part of a plan", "give --memory-limit in bytes");
  }

  @Test
  void aLimitThatPlanCannotJudgeIsSaid() throws IOException {
    assertThat(Outcome.ok("plan", SmallModels.counted(folder), "--memory-limit", 1)).contains("limit    not judged: ");
    assertThat(Outcome.ok("plan", SmallModels.counted(folder))).doesNotContain("limit ");
    Outcome.of("plan", SmallModels.reshaped(folder), "--memory-limit", "50%").failedWith(ExitCode.UNSUPPORTED,
      "--load-inputs n:FILE.npy");
  }

  @Test
  void comparisonsTakeBytes() throws IOException {
    Outcome.of("compare", SmallModels.held(folder), "--memory-limit", "50%").failedWith(ExitCode.USAGE,
      "give --memory-limit in bytes");
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
