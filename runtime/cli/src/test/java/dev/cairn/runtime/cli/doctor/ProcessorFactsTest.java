package dev.cairn.runtime.cli.doctor;

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
  void thisMachineHasAllOfIt() {
    ProcessorFacts facts = ProcessorFacts.ofMachine();
    assertThat(facts.cores()).isBetween(1, facts.threads());
    assertThat(facts.freeBytes()).isBetween(1L, facts.totalBytes());
    assertThat(facts.vectorBits()).isIn(128, 256, 512);
  }
}
