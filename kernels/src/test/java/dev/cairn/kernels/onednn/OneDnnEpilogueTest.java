package dev.cairn.kernels.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Absent;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Products with element-wise operators after them, against the portable kernels run one after the other. */
class OneDnnEpilogueTest implements Rounds {
  private static final Attributes PADDED = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));

  private final OneDnnFixture fixture = new OneDnnFixture();
  private final Random random = new Random(7);

  @AfterEach
  void nothingIsHeld() {
    fixture.close();
    assertEquals(0, fixture.calls.live());
  }

  /** A program, built step by step, and the inputs that it reads beside the product. */
  private final class Program {
    private final List<Step> steps = new ArrayList<>();
    private final List<TensorView> others = new ArrayList<>();

    Operand last() {
      return steps.isEmpty() ? new Input(0) : new Value(steps.size() - 1);
    }

    Operand read(TensorView other) {
      others.add(other);
      return new Input(others.size());
    }

    Program then(String operator, Operand... operands) {
      steps.add(new Step(operator, Attributes.NONE, fixture.type(1).dtype(), List.of(operands)));
      return this;
    }

    Attributes after(String product, Attributes attributes) {
      return new FusedProduct(product, attributes, new PointwiseProgram(steps, List.of(steps.size() - 1))).all();
    }

    TensorView[] inputs(@Nullable TensorView... operands) {
      List<@Nullable TensorView> all = new ArrayList<>();
      for (int i = 0; i < FusedProduct.OPERANDS; i++) {
        all.add(i < operands.length ? operands[i] : null);
      }
      all.addAll(others);
      return all.toArray(@Nullable TensorView[]::new);
    }
  }

  private Program random(TensorType result) {
    var program = new Program();
    if (random.nextBoolean()) {
      program.then("Add", program.read(fixture.random(result.shape().extents())), program.last());
    }
    switch (random.nextInt(6)) {
      case 0 -> program.then("Relu", program.last());
      case 1 -> program.then("Clip", program.last(), program.read(TestTensors.of(result.dtype(), Shape.SCALAR, -0.5)),
        program.read(TestTensors.of(result.dtype(), Shape.of(1), 1.5)));
      case 2 -> program.then("Clip", program.last(), new Absent(), program.read(TestTensors.of(result.dtype(),
        Shape.SCALAR, 0.25)));
      case 3 -> {
        Operand x = program.last();
        program.then("Sigmoid", x).then("Mul", x, new Value(program.steps.size() - 1));
      }
      case 4 -> program.then("HardSwish", program.last());
      default -> program.then("LeakyRelu", program.last()).then("Tanh", new Value(program.steps.size() - 1));
    }
    return program;
  }

  @Test
  void layersThatDifferInNamesAloneAreDescribedOnce() {
    TensorView x = fixture.random(64, 64);
    Attributes first = new Program().then("Relu", new Input(0)).after("MatMul", Attributes.NONE);
    Attributes second = first.with("nodes", new AttributeValue.Texts(List.of("layer1/MatMul", "layer1/Relu")));
    KernelCatalog kernels = new KernelCatalog(fixture.one.rows());
    assertTrue(kernels.find(FusedProduct.OPERATOR, KernelRunner.signature(first, List.of(x.type()), x, x)).isPresent());
    fixture.calls.made.clear();
    assertTrue(kernels.find(FusedProduct.OPERATOR, KernelRunner.signature(second, List.of(x.type()), x, x))
      .isPresent());
    assertEquals(List.of(), fixture.calls.made);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void convolutions(DType dtype) {
    fixture.computeIn(dtype);
    int served = 0;
    int last = 0;
    for (int round = 0; round < rounds(24); round++) {
      long channels = random.nextBoolean() ? 1 + random.nextInt(5) : 32;
      long filters = random.nextBoolean() ? 1 + random.nextInt(7) : 48;
      boolean pointwise = random.nextBoolean();
      Attributes attributes = pointwise ? Attributes.NONE : PADDED;
      TensorView x = fixture.random(1 + random.nextInt(2), channels, 9, 11);
      TensorView w = fixture.random(filters, channels, pointwise ? 1 : 3, pointwise ? 1 : 3);
      TensorView b = random.nextBoolean() ? fixture.random(filters) : null;
      TensorType y = fixture.type(x.shape().extent(0), filters, 9, 11);
      Program program = random(y);
      served += fixture.check(FusedProduct.OPERATOR, program.after("Conv", attributes), y, channels * 9, program.inputs(
        x, w, b)) ? 1 : 0;
      last += fixture.checkChannelsLast(FusedProduct.OPERATOR, program.after("Conv", attributes), y, channels * 9,
        program.inputs(x, w, b)) ? 1 : 0;
    }
    assertTrue(served >= rounds(8), "oneDNN served " + served);
    assertTrue(last >= rounds(16), "oneDNN served with channels last " + last);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "BFLOAT16"})
  void productsWithBias(DType dtype) {
    fixture.computeIn(dtype);
    int served = 0;
    for (int round = 0; round < rounds(40); round++) {
      TensorView x = fixture.random(2, 1 + random.nextInt(40), 64);
      TensorView w = fixture.random(64, 5 + random.nextInt(60));
      TensorType y = fixture.type(2, x.shape().extent(1), w.shape().extent(1));
      var program = new Program();
      program.then("Add", program.last(), program.read(fixture.random(w.shape().extent(1))));
      switch (random.nextInt(4)) {
        case 0 -> program.then("Gelu", program.last());
        case 1 -> program.then("Add", program.last(), program.read(fixture.random(y.shape().extents())));
        case 2 -> program.then("Relu", program.last());
        default -> {}
      }
      served += fixture.check(FusedProduct.OPERATOR, program.after("MatMul", Attributes.NONE), y, 66, program.inputs(x,
        w)) ? 1 : 0;
    }
    assertTrue(served >= rounds(20), "oneDNN served " + served);
  }

  /** What is added may lie where the result is to lie. */
  @Test
  void aResidualInPlace() {
    inPlace("ConvNhwc", fixture.random(1, 9, 11, 32), fixture.random(1, 9, 11, 32), fixture.random(32, 32, 1, 1));
  }

  /** Adds a tensor to a product, into new memory and over that tensor. */
  private void inPlace(String product, TensorView residual, TensorView x, TensorView w) {
    var program = new Program();
    program.then("Sum", program.last(), program.read(residual)).then("Relu", new Value(0));
    Attributes attributes = program.after(product, Attributes.NONE);
    TensorView[] inputs = program.inputs(x, w);
    KernelSignature signature = KernelRunner.signature(attributes, List.of(residual.type()), inputs);
    KernelRow row = new KernelCatalog(fixture.one.rows()).find(FusedProduct.OPERATOR, signature).orElseThrow();
    try (var device = new CpuDevice(1); var runner = new KernelRunner(fixture.one.rows(), 1)) {
      TensorView apart = runner.runRow(row, attributes, List.of(residual.type()), inputs).getFirst();
      var planned = row.kernel().planned(signature, Set.of());
      MemorySegment workspace = TestTensors.junk(TensorType.of(DType.UINT8, planned.kernel().workspaceBytes(signature)
        + 64)).segment();
      var call = new KernelCall(inputs, new TensorView[] {residual}, attributes, workspace, device.defaultStream());
      try (var ready = (Prepared) planned.kernel().prepare(call)) {
        ready.run();
      }
      KernelRunner.checkBits("in place", apart, residual);
    }
  }

  /** A sum of the result's type is no bias: the result may be written over it. */
  @Test
  void aSumForASingleRowInPlace() {
    TensorView x = fixture.random(1, 8192);
    TensorView w = fixture.random(8192, 128);
    inPlace("MatMul", fixture.random(1, 128), x, w);
  }

  @Test
  void boundsThatChangeBetweenRuns() {
    TensorView x = fixture.random(16, 64);
    TensorView w = fixture.random(64, 32);
    TensorView most = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 0.5);
    TensorView y = TestTensors.junk(TensorType.of(DType.FLOAT32, 16, 32));
    var program = new Program();
    program.then("Clip", program.last(), new Absent(), program.read(most));
    Attributes attributes = program.after("MatMul", Attributes.NONE);
    TensorView[] inputs = program.inputs(x, w);
    KernelSignature signature = KernelRunner.signature(attributes, List.of(y.type()), inputs);
    KernelRow row = new KernelCatalog(fixture.one.rows()).find(FusedProduct.OPERATOR, signature).orElseThrow();
    try (var device = new CpuDevice(1)) {
      var planned = row.kernel().planned(signature, Set.of());
      MemorySegment workspace = TestTensors.junk(TensorType.of(DType.UINT8, planned.kernel().workspaceBytes(signature)
        + 64)).segment();
      var call = new KernelCall(inputs, new TensorView[] {y}, attributes, workspace, device.defaultStream());
      try (var ready = (Prepared) planned.kernel().prepare(call)) {
        for (float bound : new float[] {0.5f, -3, 0.25f}) {
          most.segment().set(ValueLayout.JAVA_FLOAT, 0, bound);
          ready.run();
          double highest = Double.NEGATIVE_INFINITY;
          for (int i = 0; i < 512; i++) {
            highest = Math.max(highest, y.doubleAt(i));
          }
          assertEquals(bound, highest);
        }
      }
    }
  }

  @Test
  void otherProgramsAreNotServed() {
    TensorView x = fixture.random(8, 64);
    TensorView w = fixture.random(64, 32);
    TensorType y = TensorType.of(DType.FLOAT32, 8, 32);
    var exponential = new Program();
    exponential.then("Exp", exponential.last());
    assertFalse(fixture.check(FusedProduct.OPERATOR, exponential.after("MatMul", Attributes.NONE), y, 64, exponential
      .inputs(x, w)));
    var column = new Program();
    column.then("Add", column.last(), column.read(fixture.random(8, 1)));
    assertFalse(fixture.check(FusedProduct.OPERATOR, column.after("MatMul", Attributes.NONE), y, 64, column.inputs(x,
      w)));
    var doubled = new Program();
    doubled.then("Add", doubled.last(), doubled.last());
    assertFalse(fixture.check(FusedProduct.OPERATOR, doubled.after("MatMul", Attributes.NONE), y, 64, doubled.inputs(x,
      w)));
  }
}
