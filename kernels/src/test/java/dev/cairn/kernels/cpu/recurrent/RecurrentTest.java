package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.ByHand.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RecurrentNetwork;
import dev.cairn.kernels.attribute.RecurrentNetwork.Cell;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cpu.elementwise.CpuActivations;
import dev.cairn.kernels.row.RecurrentKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Recurrent networks by hand, and their twins against each other. */
class RecurrentTest implements Rounds {
  private static final Offset<Double> NEAR = Offset.offset(1e-6);
  private final SplittableRandom random = new SplittableRandom(7);

  private static List<TensorView> run(String operator, Attributes attributes, int outputs, @Nullable TensorView... in) {
    List<TensorType> types = types(operator, attributes, outputs, in[0], in[1]);
    return KernelRunner.checkTwins(RecurrentKernels.ROWS, operator, attributes, types, 512, in);
  }

  private static List<TensorType> types(String operator, Attributes attributes, int outputs, TensorView x,
    TensorView w) {
    RecurrentNetwork network = RecurrentNetwork.of(Cell.valueOf(operator), attributes, x.shape(), w.shape());
    var state = new TensorType(x.dtype(), network.stateShape());
    return List.of(new TensorType(x.dtype(), network.resultShape()), state, state).subList(0, outputs);
  }

  private static TensorView shaped(TensorView view, long... extents) {
    return view.reshaped(Shape.of(extents));
  }

  private static Attributes activations(String... names) {
    return Attributes.NONE.with("activations", new AttributeValue.Texts(List.of(names)));
  }

  @Test
  void aPlainCellIsAFunctionOfItsInputAndItsLastState() {
    TensorView x = shaped(floats(1, 2, 3), 3, 1, 1);
    TensorView w = shaped(floats(2), 1, 1, 1);
    TensorView r = shaped(floats(0.5), 1, 1, 1);
    TensorView b = shaped(floats(1, 10), 1, 2);
    List<TensorView> y = run("RNN", activations("Relu"), 2, x, w, r, b);
    assertThat(TestTensors.doubles(y.get(0))).containsExactly(13, 21.5, 27.75);
    assertThat(TestTensors.doubles(y.get(1))).containsExactly(27.75);
    Attributes affine = activations("Affine").with("activation_alpha", new AttributeValue.Reals(List.of(2f))).with(
      "activation_beta", new AttributeValue.Reals(List.of(1f))).with("clip", new AttributeValue.Real(15));
    assertThat(TestTensors.doubles(run("RNN", affine, 1, x, w, r, b).get(0))).containsExactly(27, 31, 31);
  }

  @Test
  void aReversedSequenceReversesOnlyItsOwnSteps() {
    TensorView x = shaped(floats(1, 10, 2, 20, 3, 30), 3, 2, 1);
    TensorView w = shaped(floats(1), 1, 1, 1);
    TensorView r = shaped(floats(1), 1, 1, 1);
    TensorView lengths = TestTensors.ofLongs(DType.INT32, Shape.of(2), 3, 2);
    TensorView start = shaped(floats(0, 1000), 1, 2, 1);
    Attributes reverse = activations("Relu").with("direction", new AttributeValue.Text("reverse"));
    List<TensorView> y = run("RNN", reverse, 2, x, w, r, null, lengths, start);
    assertThat(TestTensors.doubles(y.get(0))).containsExactly(6, 1030, 5, 1020, 3, 0);
    assertThat(TestTensors.doubles(y.get(1))).containsExactly(6, 1030);
    TensorView batchFirst = shaped(floats(1, 2, 3, 10, 20, 30), 2, 3, 1);
    y = run("RNN", reverse.with("layout", 1), 2, batchFirst, w, r, null, lengths, shaped(floats(0, 1000), 2, 1, 1));
    assertThat(TestTensors.doubles(y.get(0))).containsExactly(6, 5, 3, 1030, 1020, 0);
    TensorView beyond = TestTensors.ofLongs(DType.INT32, Shape.of(2), 4, 2);
    assertThatThrownBy(() -> run("RNN", reverse, 1, x, w, r, null, beyond)).hasMessageContaining(
      "a length is outside the sequence: sequence=0 length=4 steps=3");
  }

  @Test
  void aLongShortCellKeepsAndForgets() {
    TensorView x = shaped(floats(1), 1, 1, 1);
    TensorView w = shaped(floats(0.1, 0.2, 0.3, 0.4), 1, 4, 1);
    TensorView r = shaped(floats(1, 2, 3, 4), 1, 4, 1);
    TensorView h = shaped(floats(0.5), 1, 1, 1);
    TensorView c = shaped(floats(2), 1, 1, 1);
    double in = CpuActivations.sigmoid(0.6);
    double kept = CpuActivations.sigmoid(1.8);
    double cell = kept * 2 + in * Math.tanh(2.4);
    double out = CpuActivations.sigmoid(1.2) * Math.tanh(cell);
    List<TensorView> y = run("LSTM", Attributes.NONE, 3, x, w, r, null, null, h, c);
    assertThat(y.get(0).doubleAt(0)).isCloseTo(out, NEAR);
    assertThat(y.get(1).doubleAt(0)).isCloseTo(out, NEAR);
    assertThat(y.get(2).doubleAt(0)).isCloseTo(cell, NEAR);
    TensorView peepholes = shaped(floats(0.1, 0.2, 0.3), 1, 3);
    in = CpuActivations.sigmoid(0.6 + 0.1 * 2);
    cell = CpuActivations.sigmoid(1.8 + 0.3 * 2) * 2 + in * Math.tanh(2.4);
    out = CpuActivations.sigmoid(1.2 + 0.2 * cell) * Math.tanh(cell);
    y = run("LSTM", Attributes.NONE, 1, x, w, r, null, null, h, c, peepholes);
    assertThat(y.get(0).doubleAt(0)).isCloseTo(out, NEAR);
    in = CpuActivations.sigmoid(0.6);
    cell = (1 - in) * 2 + in * Math.tanh(2.4);
    y = run("LSTM", Attributes.NONE.with("input_forget", 1), 3, x, w, r, null, null, h, c);
    assertThat(y.get(2).doubleAt(0)).isCloseTo(cell, NEAR);
    // Inputs of gates are clipped, the state is not.
    in = CpuActivations.sigmoid(0.5);
    cell = in * 2 + in * Math.tanh(0.5);
    y = run("LSTM", Attributes.NONE.with("clip", new AttributeValue.Real(0.5f)), 1, x, w, r, null, null, h, c);
    assertThat(y.get(0).doubleAt(0)).isCloseTo(in * Math.tanh(cell), NEAR);
  }

  @Test
  void aGatedCellResetsItsStateBeforeOrAfterTheProduct() {
    TensorView x = shaped(floats(1), 1, 1, 1);
    TensorView w = shaped(floats(0.1, 0.2, 0.3), 1, 3, 1);
    TensorView r = shaped(floats(1, 2, 3), 1, 3, 1);
    TensorView b = shaped(floats(0, 0, 0.5, 0, 0, 0.25), 1, 6);
    TensorView h = shaped(floats(0.5), 1, 1, 1);
    double update = CpuActivations.sigmoid(0.6);
    double reset = CpuActivations.sigmoid(1.2);
    double before = (1 - update) * Math.tanh(0.8 + reset * 0.5 * 3 + 0.25) + update * 0.5;
    double after = (1 - update) * Math.tanh(0.8 + reset * (0.5 * 3 + 0.25)) + update * 0.5;
    assertThat(run("GRU", Attributes.NONE, 1, x, w, r, b, null, h).get(0).doubleAt(0)).isCloseTo(before,
      NEAR);
    assertThat(run("GRU", Attributes.NONE.with("linear_before_reset", 1), 1, x, w, r, b, null, h).get(0).doubleAt(0))
      .isCloseTo(after, NEAR);
  }

  @Test
  void awkwardExtentsAreTheirTwins() {
    int[] extents = {1, 2, 5, 15, 16, 17, 33};
    for (int round = 0; round < rounds(24); round++) {
      Cell cell = random.nextBoolean() ? Cell.LSTM : Cell.GRU;
      int hidden = round == 0 ? 300 : extents[random.nextInt(extents.length)];
      int input = extents[random.nextInt(extents.length)];
      int steps = 1 + random.nextInt(4);
      int batch = 1 + random.nextInt(9);
      int directions = 1 + random.nextInt(2);
      boolean batchFirst = random.nextBoolean();
      Attributes attributes = Attributes.NONE.with("layout", batchFirst ? 1 : 0).with("linear_before_reset", random
        .nextInt(2)).with("direction", new AttributeValue.Text(directions == 2 ? "bidirectional" : "reverse"));
      TensorView[] inputs = operands(cell, batchFirst ? Shape.of(batch, steps, input) : Shape.of(steps, batch, input),
        directions, hidden);
      inputs[5] = random.nextBoolean()
        ? anyOf(batchFirst
          ? Shape.of(batch, directions, hidden)
          : Shape.of(directions,
            batch, hidden))
        : null;
      if (random.nextBoolean()) {
        inputs[4] = TestTensors.ofLongs(DType.INT32, Shape.of(batch), random.longs(batch, 0, steps + 1).toArray());
      }
      run(cell.name(), attributes, 2, inputs);
      for (Set<Integer> constants : List.of(Set.of(1), Set.of(2), Set.of(1, 2))) {
        checkPacked(cell, attributes, constants, inputs);
      }
    }
  }

  private TensorView anyOf(Shape shape) {
    return TestTensors.random(DType.FLOAT32, shape, random);
  }

  /** Products with them are about 1, so that a state does not multiply errors step by step. */
  private TensorView weights(Shape shape) {
    double most = 1 / Math.sqrt((double) shape.extent(-1));
    return TestTensors.of(DType.FLOAT32, shape, random.doubles(shape.elementCount(), -most, most).toArray());
  }

  private @Nullable TensorView[] operands(Cell cell, Shape x, int directions, int hidden) {
    long rows = (long) cell.gates() * hidden;
    var inputs = new TensorView[6];
    inputs[0] = anyOf(x);
    inputs[1] = weights(Shape.of(directions, rows, x.extent(2)));
    inputs[2] = weights(Shape.of(directions, rows, hidden));
    inputs[3] = random.nextInt(3) == 0 ? null : anyOf(Shape.of(directions, 2 * rows));
    return inputs;
  }

  /** Constant weights are packed by a kernel of their own; the results are the same. */
  private static void checkPacked(Cell cell, Attributes attributes, Set<Integer> constants,
    @Nullable TensorView[] inputs) {
    List<TensorType> types = types(cell.name(), attributes, 1, inputs[0], inputs[1]);
    KernelSignature signature = KernelRunner.signature(attributes, types, inputs);
    KernelRow row = RecurrentKernels.ROWS.stream()
      .filter(it -> it.operator().equals(cell.name()) && it.twin() == Twin.VECTOR).findFirst().orElseThrow();
    PlannedKernel planned = row.kernel().planned(signature, constants);
    assertThat(planned.packed()).containsOnlyKeys(constants);
    try (var runner = new KernelRunner(RecurrentKernels.ROWS, 2)) {
      TensorView wanted = runner.runRow(row, attributes, types, inputs).getFirst();
      @Nullable
      TensorView[] packed = inputs.clone();
      planned.packed().forEach((input, packing) -> {
        var pack = new KernelRow("Pack", Twin.VECTOR, KernelRow.Decides.FIRST_INPUT, Set.of(DType.FLOAT32), packing
          .kernel());
        packed[input] = runner.runRow(pack, Attributes.NONE, List.of(packing.type()), inputs[input]).getFirst();
      });
      var of = new KernelRow(cell.name(), Twin.VECTOR, KernelRow.Decides.FIRST_INPUT, row.dtypes(), planned.kernel());
      KernelRunner.checkBits("packed", wanted, runner.runRow(of, attributes, types, packed).getFirst());
    }
  }

  @Test
  void resultsOfEveryTypeAreThoseOfDoubles() {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      TensorView x = TestTensors.random(dtype, Shape.of(2, 1, 3), random);
      TensorView w = TestTensors.random(dtype, Shape.of(1, 8, 3), random);
      TensorView r = TestTensors.random(dtype, Shape.of(1, 8, 2), random);
      TensorView wanted = run("LSTM", Attributes.NONE, 1, wide(x), wide(w), wide(r)).getFirst();
      Tolerance.of(dtype, 8).check(dtype.toString(), TestTensors.doubles(wanted), run("LSTM", Attributes.NONE, 1, x, w,
        r).getFirst());
    }
  }

  private static TensorView wide(TensorView view) {
    return TestTensors.of(DType.FLOAT64, view.shape(), TestTensors.doubles(view));
  }
}
