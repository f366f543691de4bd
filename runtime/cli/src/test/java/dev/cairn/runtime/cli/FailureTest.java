package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.RefusedHint;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static void assertTells(Throwable error, ExitCode code, String evidence) {
    Failure failure = Failure.of(error);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.evidence()).isEqualTo(evidence);
    assertThat(failure.toString().lines()).hasSize(3).noneMatch(String::isBlank);
  }

  @Test
  void everyKindOfErrorHasItsCodeAndThreeLines() {
    assertTells(new InvalidGraph("conv1", "shapes differ"), ExitCode.INVALID_MODEL, "shapes differ: node=conv1");
    assertTells(new RefusedHint("conv1", "cairn.repeat=always", "it is a result"), ExitCode.INVALID_MODEL,
      "the hint cairn.repeat=always cannot be obeyed: it is a result: node=conv1");
    assertTells(new InvalidModel(ModelSource.of(Path.of("m.onnx")), "damaged"), ExitCode.INVALID_MODEL,
      "damaged: file=m.onnx");
    assertTells(new IllegalArgumentException("no such input: input=x"), ExitCode.USAGE, "no such input: input=x");
    assertTells(new ArithmeticException("/ by zero"), ExitCode.OTHER, "ArithmeticException: / by zero");
    assertTells(new IOException("disk full"), ExitCode.OTHER, "disk full");
    assertTells(new UncheckedIOException(new AccessDeniedException("/root/x")), ExitCode.OTHER,
      "permission denied: /root/x");
    assertTells(new OutOfMemoryError("Java heap space"), ExitCode.OUT_OF_MEMORY, "Java heap space");
    assertTells(new StackOverflowError(), ExitCode.OTHER, "StackOverflowError: StackOverflowError");
    assertTells(new IllegalStateException("session is closed"), ExitCode.OTHER,
      "IllegalStateException: session is closed");
    assertTells(new Failure.Known(ExitCode.MACHINE_LACKS, "a", "b", "c"), ExitCode.MACHINE_LACKS, "b");
  }

  @Test
  void aStepThatFailedIsTheFailureOfItsCauseWithTheStepNamed() {
    var builder = new GraphBuilder("model");
    builder.output("y", builder.apply("Relu", builder.input("x", TensorType.of(DType.FLOAT32, 1))));
    Node node = builder.build().nodes().getLast();
    assertTells(StepFailed.of(node, 7, new OutOfMemoryError("Java heap space")), ExitCode.OUT_OF_MEMORY,
      "a step failed: node=%s operator=Relu step=7 reason=java.lang.OutOfMemoryError: Java heap space".formatted(node
        .name()));
    assertTells(StepFailed.of(node, 0, new ArithmeticException("/ by zero")), ExitCode.OTHER,
      "a step failed: node=%s operator=Relu step=0 reason=java.lang.ArithmeticException: / by zero".formatted(node
        .name()));
    assertTells(StepFailed.of(node, 0, new IndexOutOfBoundsException("7")), ExitCode.USAGE,
      "a kernel rejected its inputs: node=%s operator=Relu step=0 reason=7".formatted(node.name()));
  }

  @Test
  void linesStayLinesWhateverTheMessage() {
    assertTells(new IllegalArgumentException("first\r\n  second\n\nthird\n"), ExitCode.USAGE, "first; second; third");
    assertTells(new IllegalArgumentException(" "), ExitCode.USAGE, "IllegalArgumentException");
  }

  @Test
  void gapsOfOneKindStandTogether() {
    var gaps = List.of(new Gap("n1", "Foo", "no such operator"), new Gap("n2", "Conv", "no kernel for [int8[1]]"),
      new Gap("n3",
        "Foo", "no such operator"));
    assertTells(new UnsupportedOperators(gaps), ExitCode.UNSUPPORTED,
      "Foo (no such operator) at n1, n3; Conv (no kernel for [int8[1]]) at n2");
    assertThat(Failure.of(new UnsupportedOperators(gaps.subList(0, 1))).cause()).endsWith("at 1 node");
  }

  @Test
  void listsOfAnyLengthFitAScreen() {
    List<Gap> gaps = new ArrayList<>();
    for (int kind = 0; kind < 50; kind++) {
      for (int node = 0; node < 40; node++) {
        gaps.add(new Gap("n".repeat(10_000) + node, "Op" + kind, "no kernel for [" + "int8".repeat(1000) + "]"));
      }
    }
    Failure failure = Failure.of(new UnsupportedOperators(gaps));
    assertThat(failure.cause()).endsWith("at 2000 nodes");
    assertThat(failure.evidence()).hasSizeLessThan(1300).contains("Op0 (no kernel for ", "at 40 nodes, first at nnn")
      .endsWith("; and 46 more kinds of nodes");
    assertThat(Failure.of(new InvalidGraph("a", "cycle: " + gaps.subList(0, 9))).evidence()).hasSizeLessThan(1300)
      .startsWith("cycle: ").endsWith("-v for all");
  }

  @Test
  void adviceCanBeFollowed() {
    assertThat(remedy(new IOException("No space left on device"))).contains("free some space").doesNotContain(
      "permission");
    assertThat(remedy(new FileSystemException("/x", null, "No space left on device"))).contains("free some space");
    assertThat(remedy(new FileSystemException("/x", null, "Disk quota exceeded"))).contains("free some space");
    assertThat(remedy(new FileSystemException("/x", null, "File name too long"))).contains("shorter name");
    assertThat(remedy(new FileSystemException("/x", null, "Read-only file system"))).contains("another disk");
    assertThat(remedy(new AccessDeniedException("/x"))).contains("permissions");
    assertThat(remedy(new NoSuchFileException("/x"))).contains("path").doesNotContain("permissions");
  }

  private static String remedy(IOException error) {
    return Failure.of(error).remedy();
  }

  @Test
  void theNumbersThatScriptsRelyOn() {
    assertThat(ExitCode.values()).extracting(ExitCode::number).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
  }
}
