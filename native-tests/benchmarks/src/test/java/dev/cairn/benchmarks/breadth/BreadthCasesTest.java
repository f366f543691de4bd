package dev.cairn.benchmarks.breadth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BreadthCasesTest {
  @TempDir
  private Path folder;

  private BreadthCases find(String... operators) throws IOException {
    return BreadthCases.find(List.of(operators), 1, folder.resolve("case.onnx"));
  }

  private static List<String> names(BreadthCases cases, DType dtype) {
    return cases.all().stream().filter(it -> it.dtype() == dtype).map(BreadthCase::toString).toList();
  }

  /** Which forms an operator has follows from what the engines accept. */
  @Test
  void anOperatorHasTheFormsThatBothEnginesAccept() throws IOException {
    BreadthCases cases = find("Softmax", "Where");
    List<String> names = names(cases, DType.FLOAT32);
    for (String place : BreadthCase.PLACES) {
      assertTrue(names.contains("Softmax: axis, %s; typical float32".formatted(place)), names::toString);
    }
    for (Size size : List.of(Size.SMALL, Size.LARGE)) {
      assertEquals(1, names.stream().filter(it -> it.startsWith("Softmax: axis, ") && it.endsWith(size + " float32"))
        .count(), names::toString);
    }
    assertTrue(names.contains("Where: a mask of a row; typical float32"), names::toString);
    assertTrue(names(cases, DType.INT64).contains("Where: a mask and a scalar; typical int64"), names::toString);
    assertEquals(List.of(), names(cases, DType.INT64).stream().filter(it -> it.startsWith("Softmax")).toList());
    assertEquals(List.of(), List.copyOf(cases.without()));
  }

  @Test
  void anOperatorThatNoFormFitsIsNamed() throws IOException {
    assertEquals(List.of("LSTM"), List.copyOf(find("LSTM", "Relu").without()));
  }

  /** A logarithm of a negative number is none: such a case says nothing about speed. */
  @Test
  void numbersArePositiveWhereOthersHaveNoResult() throws IOException {
    assertTrue(find("Log").all().stream().allMatch(BreadthCase::positive));
    assertTrue(find("Exp").all().stream().noneMatch(BreadthCase::positive));
  }

  @Test
  void theSeedDecidesSamplesAndModels() throws IOException {
    BreadthCases all = find("ReduceMean");
    assertEquals(5, all.sample(5, 3).all().size());
    assertEquals(names(all.sample(5, 3), DType.FLOAT32), names(all.sample(5, 3), DType.FLOAT32));
    assertNotEquals(all.sample(5, 3).all().stream().map(BreadthCase::toString).collect(Collectors.joining()), all
      .sample(5, 4).all().stream().map(BreadthCase::toString).collect(Collectors.joining()));
    BreadthCase one = all.all().getFirst();
    assertArrayEquals(one.node(1).file(), one.node(1).file());
  }

  /** Both engines run, and compute the same; how fast, this test does not say. */
  @Test
  void bothEnginesTakeTheirTurns() throws IOException, OrtException {
    BreadthCase one = find("ArgMax").all().getFirst();
    try (BothEngines engines = BothEngines.open(one, 1, 1, folder.resolve("case.onnx"))) {
      assertEquals(0, engines.digest().notFinite());
      BreadthTurns turns = BreadthTurns.taken(engines, new BreadthTurns.Effort(2, 1e-6, 1, 1));
      assertEquals(2, turns.cairnNanos().values().size());
      assertEquals(turns.cairnNanos().min() / turns.ortNanos().min(), turns.ratio());
    }
  }
}
