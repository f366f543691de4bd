package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.written.EncoderModel;
import dev.cairn.benchmarks.written.OperatorModels;
import dev.cairn.runtime.session.ModelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BesideOrtTest {
  private static final ModelsOptions OPTIONS = new ModelsOptions(false, false, List.of(2), List.of(), 5, false, false);

  @TempDir
  private Path folder;

  /** 2 and 4 times as long: one reaches its goal. */
  @Test
  void eachModelHasAGoal() {
    var both = new BesideOrt(List.of("lstm", "gru"), List.of(Figures.comparison(2, 20, 10), Figures.comparison(2, 40,
      10)));
    Section section = both.section("Single operators", "Text.\n", name -> name.equals("lstm") ? 2.5 : 3);
    assertEquals("lstm=2.00 gru=4.00", Section.outcome(List.of(section)).figures());
    assertEquals("lstm<=2.5,gru<=3", Section.outcome(List.of(section)).goals());
    assertFalse(Section.outcome(List.of(section)).passed());
    assertTrue(section.toString().contains("| gru | 40.000 | 10.000 | 4.00 (4.00..4.00) | <=3 |"), section.toString());
    var machine = new Machine("a processor", 2, 1L << 30, "Linux 6", "25", 0.1);
    String page = new RatiosPage("Operators", new Origin(machine, LocalDate.of(2026, 2, 3), "run.sh operators"),
      OPTIONS, List.of(section)).text("1.29.0", "-");
    assertTrue(page.contains("- Goals not reached: `gru=4.00`\n"), page);
  }

  @Test
  void aModelThatIsNotThereIsAnError() {
    var options = new ModelsOptions(true, false, List.of(2), List.of("dropout"), 1, false, false);
    assertThrows(IllegalArgumentException.class, () -> BesideOrt.measured(OperatorModels.all(), options));
  }

  /** Every model that is written for a benchmark is one that Cairn reads. */
  @Test
  void writtenModelsCanBeRead() throws IOException {
    for (var model : OperatorModels.all().entrySet()) {
      Path file = Files.write(folder.resolve(model.getKey() + ".onnx"), model.getValue().get().file());
      assertFalse(ModelFiles.read(file).outputs().isEmpty(), model.getKey());
    }
    Path file = Files.write(folder.resolve("encoder.onnx"), EncoderModel.of(true).file());
    double ofFile = (double) PlanFigures.weightBytes(file) / Files.size(file);
    assertTrue(ofFile > 0.9 && ofFile < 1.1, "weights/file=" + ofFile);
  }
}
