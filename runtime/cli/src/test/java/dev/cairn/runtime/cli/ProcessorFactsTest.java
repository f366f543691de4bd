package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorFactsTest {
  @Test
  void threadsOfOneCoreCountOnce() {
    List<String> lines = List.of("physical id\t: 0", "core id\t\t: 0", "physical id\t: 0", "core id\t\t: 0",
      "physical id\t: 1", "core id\t\t: 0", "model name\t: A: B");
    assertThat(ProcessorFacts.cores(lines, 8)).isEqualTo(2);
    assertThat(ProcessorFacts.name(lines)).isEqualTo("A: B");
  }

  @Test
  void aListingWithoutCoresIsNoObstacle() {
    assertThat(ProcessorFacts.cores(List.of("processor: 0", "odd line"), 8)).isEqualTo(8);
    assertThat(ProcessorFacts.name(List.of())).isNotBlank();
  }

  @Test
  void memoryIsReadAsTheSystemWritesIt() {
    List<String> lines = List.of("MemTotal:       24684084 kB", "MemFree: odd", "MemAvailable:  1 kB");
    assertThat(ProcessorFacts.bytes(lines, "MemTotal")).isEqualTo(24684084L * 1024);
    assertThat(ProcessorFacts.bytes(lines, "MemAvailable")).isEqualTo(1024);
    assertThat(ProcessorFacts.bytes(lines, "MemFree")).isZero();
    assertThat(ProcessorFacts.limit(List.of("max"))).isEqualTo(Long.MAX_VALUE);
    assertThat(ProcessorFacts.limit(List.of("1048576"))).isEqualTo(1 << 20);
    assertThat(ProcessorFacts.limit(List.of())).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void thisMachineHasAllOfIt() {
    ProcessorFacts facts = ProcessorFacts.ofMachine();
    assertThat(facts.cores()).isBetween(1, facts.threads());
    assertThat(facts.freeBytes()).isBetween(1L, facts.totalBytes());
    assertThat(facts.vectorBits()).isIn(128, 256, 512);
  }
}
