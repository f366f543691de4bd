package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.written.ModelClasses;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassesPlansTest {
  @Test
  void aModelWithBranchesIsPlannedAsAWhole() throws IOException {
    Section section = ClassesPlans.section(Map.of("voice", ModelClasses::voiceActivity));
    assertTrue(section.toString().contains("| voice | whole |"), section.toString());
  }
}
