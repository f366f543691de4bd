package dev.cairn.conformance;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.session.ModelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random models of many operators equal ONNX Runtime, with all passes and as they are written. The generator leaves out
 * what ONNX Runtime 1.29 computes otherwise, or not at all:
 *
 * <table>
 * <caption>Disagreements, each with its reason</caption>
 * <tr><th>model</th><th>ONNX Runtime</th><th>Cairn</th></tr>
 * <tr><td>{@code Transpose{perm=[0,1]}} before {@code Gemm}</td><td>its optimizer (GemmTransposeFusion) takes any
 * transposition for one that swaps, and refuses the model or multiplies the wrong matrix</td><td>follows
 * {@code perm}</td></tr>
 * <tr><td>{@code LRN} of other than four axes</td><td>has no kernel, though ONNX admits it</td><td>takes any number of
 * spatial axes</td></tr>
 * <tr><td>{@code SAME} padding with steps wider than the window</td><td>average pools start later, as if padding could
 * be negative</td><td>no padding, as in ONNX's shape inference</td></tr>
 * <tr><td>{@code Floor}, {@code Ceil}, casts to whole numbers</td><td colspan="2">a difference in the last place may
 * become one of 1: {@link RandomOperatorsTest} compares them by themselves</td></tr>
 * </table>
 */
class RandomModelsTest {
  /** Sums in another order, through several functions whose slopes are about one. */
  private static final Closeness CLOSENESS = new Closeness(1e-4, 1e-4);
  private static final int MOST_FAULTS = 20;
  private static final PlannedRun RUNNER = new PlannedRun();

  @TempDir
  private Path folder;

  @AfterAll
  static void close() {
    RUNNER.close();
  }

  @Test
  void equalOnnxRuntime() throws IOException {
    compare(1, 60);
  }

  @Test
  @Tag("long")
  void moreEqualOnnxRuntime() throws IOException {
    compare(61, 140);
  }

  @Test
  @Tag("soak")
  void manyEqualOnnxRuntime() throws IOException {
    compare(Long.getLong("cairn.soak.seed", 1_000), Integer.getInteger("cairn.soak.models", 5_000));
  }

  private void compare(long firstSeed, int models) throws IOException {
    List<AssertionError> faults = new ArrayList<>();
    Path file = folder.resolve("model.onnx");
    for (long seed = firstSeed; seed < firstSeed + models; seed++) {
      RandomModel.Made model = RandomModel.of(seed);
      Files.deleteIfExists(file);
      OnnxWriter.write(model.graph(), model.outputs(), file);
      try {
        compare(file, model, seed);
      } catch (OrtException | RuntimeException | AssertionError e) {
        faults.add(new AssertionError("seed %d: %s".formatted(seed, e), e));
      }
    }
    assertAll(faults.stream().limit(MOST_FAULTS).map(fault -> () -> {
      throw fault;
    }));
  }

  private static void compare(Path file, RandomModel.Made model, long seed) throws OrtException {
    List<TensorView> wanted;
    try (Oracle oracle = Oracle.open(file)) {
      wanted = List.copyOf(oracle.run(model.inputs()).values());
    }
    Graph read = ModelFiles.read(file);
    PlannerChoice[] planners = PlannerChoice.values();
    for (PlannedRun.Setting setting : List.of(PlannedRun.Setting.of(planners[(int) (seed % planners.length)], true),
      PlannedRun.Setting.portable())) {
      List<TensorView> given = RUNNER.run(RUNNER.compile(read, model.inputs(), setting), model.inputs());
      assertEquals(wanted.size(), given.size());
      for (int i = 0; i < given.size(); i++) {
        Optional<String> difference = CLOSENESS.difference(wanted.get(i), given.get(i));
        int output = i;
        assertTrue(difference.isEmpty(), () -> "seed %d, %s, output %d: %s%n%s".formatted(seed, setting.name(), output,
          difference.orElse(""), read));
      }
    }
  }
}
