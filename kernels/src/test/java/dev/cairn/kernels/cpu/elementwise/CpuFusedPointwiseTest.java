package dev.cairn.kernels.cpu.elementwise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.PointwiseCase;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseSlots;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.row.FusedKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CpuFusedPointwiseTest {
  private static final int CASES = 20;

  @Test
  void givesTheBitsOfItsStepsRunOneByOne() {
    checkSteps(CASES);
  }

  @Test
  @Tag("long")
  void givesTheBitsOfItsStepsInMoreCases() {
    checkSteps(3 * CASES);
  }

  @Test
  @Tag("soak")
  void givesTheBitsOfItsStepsRunOneByOneForLong() {
    checkSteps(90 * CASES);
  }

  private static void checkSteps(int cases) {
    for (KernelRow row : FusedKernels.ROWS) {
      List<KernelRow> rows = row.twin() == KernelRow.Twin.PORTABLE
        ? KernelRunner.portable(ElementwiseKernels.ROWS)
        : ElementwiseKernels.ROWS;
      try (var alone = new KernelRunner(rows, 1); var team = new KernelRunner(rows, 3)) {
        for (int seed = 0; seed < cases; seed++) {
          PointwiseCase it = PointwiseCase.of(seed, false);
          List<TensorView> expected = it.unfused(alone);
          TensorView[] inputs = it.inputs().toArray(TensorView[]::new);
          for (KernelRunner runner : List.of(alone, team)) {
            check(seed, it, expected, runner.runRow(row, it.program().attributes(), it.outputTypes(), inputs));
          }
        }
      }
    }
  }

  @Test
  void anOutputMayLieOverAnInputWhereTheSlotsSaySo() {
    int pairs = 0;
    try (var runner = new KernelRunner(ElementwiseKernels.ROWS, 3)) {
      for (int seed = 0; seed < CASES; seed++) {
        PointwiseCase it = PointwiseCase.of(seed, false);
        List<TensorView> expected = it.unfused(runner);
        List<Long> inPlace = new PointwiseSlots(it.program()).inPlace();
        for (int i = 0; i < inPlace.size(); i += 2) {
          int input = inPlace.get(i).intValue();
          int output = inPlace.get(i + 1).intValue();
          if (it.inputs().get(input).type().equals(it.outputTypes().get(output))) {
            pairs++;
            check(seed, it, expected, over(runner, it, input, output));
          }
        }
      }
    }
    assertThat(pairs).as("pairs tried").isGreaterThan(CASES / 4);
  }

  private static List<TensorView> over(KernelRunner runner, PointwiseCase it, int input, int output) {
    List<TensorView> inputs = new ArrayList<>(it.inputs());
    inputs.set(input, TestTensors.copy(inputs.get(input)));
    List<TensorView> outputs = new ArrayList<>(it.outputTypes().stream().map(TestTensors::junk).toList());
    outputs.set(output, inputs.get(input));
    runner.runInto(FusedKernels.ROWS.getLast(), it.program().attributes(), outputs, inputs.toArray(TensorView[]::new));
    return outputs;
  }

  private static void check(int seed, PointwiseCase it, List<TensorView> expected, List<TensorView> actual) {
    for (int i = 0; i < expected.size(); i++) {
      KernelRunner.checkNumbers("seed %d result %d of %s".formatted(seed, i, it.program()), expected.get(i), actual.get(
        i));
    }
  }

  /** Compiled code may take the NaN of either operand, and a processor's own has another sign than Java's. */
  @Test
  void onlyTheSignAndPayloadOfNanAreUnspecified() {
    TensorView nan = TensorView.ofFloats(Shape.of(1), Float.NaN);
    TensorView other = TensorView.ofFloats(Shape.of(1), Float.intBitsToFloat(0xffc00001));
    KernelRunner.checkNumbers("NaN", nan, other);
    assertThatThrownBy(() -> KernelRunner.checkBits("NaN", nan, other)).isInstanceOf(AssertionError.class);
    for (float number : new float[] {-0.0f, 1, Float.POSITIVE_INFINITY}) {
      TensorView actual = TensorView.ofFloats(Shape.of(1), number);
      assertThatThrownBy(() -> KernelRunner.checkNumbers("a number", nan, actual)).isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> KernelRunner.checkNumbers("a number", TensorView.ofFloats(Shape.of(1), 0), actual))
        .isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void refusesAStepWithoutAKernelAndWantsNoScratchForAChain() {
    var catalog = new KernelCatalog(FusedKernels.ROWS);
    var chain = TestTensors.counting(DType.FLOAT32, Shape.of(9000));
    KernelSignature good = signature("%0 = Exp(x0) float32; %1 = Neg(%0) float32; return %1", chain);
    assertThat(catalog.find(PointwiseProgram.OPERATOR, good).orElseThrow().kernel().workspaceBytes(good)).isZero();
    KernelSignature bad = signature("%0 = Softmax(x0) float32; return %0", chain);
    assertThat(catalog.find(PointwiseProgram.OPERATOR, bad)).isEmpty();
  }

  private static KernelSignature signature(String program, TensorView input) {
    var attributes = Attributes.NONE.with("program",
      new AttributeValue.Text(program));
    return KernelRunner.signature(attributes, List.of(input.type()), input);
  }

  /** Programs that run at once: those steps one by one give the same bits. */
  @Test
  void normalizationsOfChannels() {
    for (long[] extents : new long[][] {{3, 5, 7, 64}, {1, 9, 4, 35}, {2, 17}, {1000, 3}, {40}}) {
      for (String relu : List.of("", "%2 = Relu(%1) float32; ")) {
        String text = "%0 = Mul(x0, x1) float32; %1 = Add(x2, %0) float32; " + relu + "return %" + (relu.isEmpty()
          ? 1
          : 2);
        Attributes program = Attributes.NONE.with("program", new AttributeValue.Text(text));
        var random = new Random(extents.length);
        TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(extents), random);
        TensorView scale = TestTensors.random(DType.FLOAT32, Shape.of(extents[extents.length - 1]), random);
        TensorView shift = TestTensors.random(DType.FLOAT32, Shape.of(extents[extents.length - 1]), random);
        try (var runner = new KernelRunner(FusedKernels.ROWS, 1); var team = new KernelRunner(FusedKernels.ROWS, 3)) {
          KernelRow steps = FusedKernels.ROWS.getFirst();
          TensorView expected = runner.runRow(steps, program, List.of(x.type()), x, scale, shift).getFirst();
          for (KernelRow row : FusedKernels.ROWS) {
            for (KernelRunner it : List.of(runner, team)) {
              KernelRunner.checkBits(text, expected, it.runRow(row, program, List.of(x.type()), x, scale, shift)
                .getFirst());
            }
          }
        }
      }
    }
  }
}
