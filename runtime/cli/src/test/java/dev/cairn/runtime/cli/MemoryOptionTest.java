package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of memory that the commands share, by what a session then does. */
class MemoryOptionTest {
  private static final long MIB = 1 << 20;

  private static long reserved(Object... options) {
    Object[] words = new Object[options.length + 6];
    System.arraycopy(new Object[] {"run", "mlp", "--iterations", 1, "--warmup", 1}, 0, words, 0, 6);
    System.arraycopy(options, 0, words, 6, options.length);
    return Outcome.json(words).get("memory").get("reservedBytes").asLong();
  }

  @Test
  void memoryGrowsAsItIsAskedTo() {
    long usual = reserved();
    assertThat(reserved("--memory-growth", "as-requested")).isEqualTo(usual);
    assertThat(reserved("--memory-growth", "whole", "--memory-limit", "32MiB")).isEqualTo(32 * MIB);
    assertThat(reserved("--memory-growth", "doubling")).isBetween(usual + MIB, usual + 2 * MIB);
  }

  @Test
  void redZonesTakeMemoryOfTheirOwn() {
    long usual = reserved();
    assertThat(reserved("--memory-guard", "64KiB")).isGreaterThanOrEqualTo(usual + 3 * 128 * 1024);
  }

  @Test
  void idleMemoryIsCollectedAndTrimmed() {
    long usual = reserved("--memory-limit", "1GiB");
    for (String when : new String[] {"never", "at-the-limit", "before-a-peak", "before-growth", "compact"}) {
      assertThat(reserved("--memory-limit", "1GiB", "--memory-collection", when)).as(when).isEqualTo(usual);
    }
    assertThat(Outcome.ok("bench", "mlp", "--iterations", 20, "--memory-trim", "1ms")).contains("reserved");
  }

  @Test
  void redZonesExcludeCompaction() {
    Outcome.of("run", "mlp", "--memory-guard", "256", "--memory-collection", "compact").failedWith(ExitCode.USAGE);
  }

  @Test
  void aRunMayWaitForResultsOfOthers() {
    assertThat(Outcome.ok("bench", "mlp", "--iterations", 20, "--concurrency", 2, "--memory-wait", "1s")).contains(
      "reserved");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--memory-growth whole", "--memory-growth virtual", "--memory-guard 1 --memory-limit 1GiB",
    "--memory-trim 0"})
  void whatCannotBeIsRefused(String options) {
    for (String command : new String[] {"run", "bench"}) {
      Outcome.of((Object[]) (command + " mlp " + options).split(" ")).failedWith(ExitCode.USAGE);
    }
  }

  @Test
  void helpNamesThemAll() {
    for (String command : new String[] {"run", "bench", "compare"}) {
      assertThat(Outcome.ok("help", command, "--all")).contains("--memory-limit", "--memory-growth",
        "--memory-collection",
        "--memory-trim", "--memory-guard", "--memory-wait");
    }
  }
}
