package dev.cairn.gpu.kernel;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The elementwise family on CUDA against its portable twins. */
class CudaElementwiseTest {
  private static final List<Shape> SHAPES = List.of(Shape.SCALAR, Shape.of(1), Shape.of(3), Shape.of(255),
    Shape.of(7, 1, 33), Shape.of(0, 4));
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;

  @BeforeAll
  static void open() {
    twins = CudaTwins.open();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  @Test
  void functionsOfRealNumbersAreTheirTwins() {
    var random = new SplittableRandom(1);
    for (String operator : List.of("Neg", "Abs", "Relu", "Exp", "Tanh", "Sin", "Cos", "Floor", "Ceil", "Erf", "Sigmoid",
      "HardSwish", "LeakyRelu", "HardSigmoid", "Gelu")) {
      for (DType dtype : FLOATS) {
        for (Shape shape : SHAPES) {
          TensorView x = TestTensors.random(dtype, shape, random);
          twins.check(operator, Attributes.NONE, x.type(), 8, x);
        }
      }
    }
  }

  /** Alone, and as a step of a fused program, which has the same bits. */
  @Test
  void activationsAreTheirTwins() {
    var random = new SplittableRandom(21);
    for (String operator : List.of("Celu", "Elu", "IsNaN", "Mish", "Round", "Selu", "Shrink", "Sign", "Softplus",
      "Softsign", "Swish", "ThresholdedRelu")) {
      for (DType dtype : FLOATS) {
        TensorView x = TestTensors.random(dtype, Shape.of(301), random);
        List<Double> odd = List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.5, 2.5);
        for (int i = 0; i < odd.size(); i++) {
          TestTensors.set(x, i, odd.get(i));
        }
        var type = new TensorType(operator.equals("IsNaN") ? DType.BOOL : dtype, x.shape());
        twins.check(operator, Attributes.NONE, type, 8, x);
        var step = new PointwiseProgram.Step(operator, Attributes.NONE, type.dtype(), List.of(
          new PointwiseProgram.Input(0)));
        var program = new PointwiseProgram(List.of(step), List.of(0));
        KernelRunner.checkNumbers(operator, twins.run(operator, Attributes.NONE, List.of(type), x).getFirst(),
          twins.run(
            PointwiseProgram.OPERATOR, program.attributes(), List.of(type), x).getFirst());
      }
    }
    for (DType dtype : DType.NUMBERS) {
      TensorView x = TestTensors.random(dtype, Shape.of(40), random);
      twins.check("Sign", Attributes.NONE, x.type(), 1, x);
    }
    TensorView left = TestTensors.random(DType.BOOL, Shape.of(3, 20), random);
    twins.check("Xor", Attributes.NONE, left.type(), 1, left, TestTensors.random(DType.BOOL, Shape.of(20), random));
  }

  @Test
  void functionsOfPositiveNumbersAreTheirTwins() {
    var random = new SplittableRandom(2);
    for (String operator : List.of("Sqrt", "Log", "Reciprocal")) {
      for (DType dtype : FLOATS) {
        TensorView x = TestTensors.zeros(TensorType.of(dtype, 301));
        for (int i = 0; i < 301; i++) {
          TestTensors.set(x, i, 0.1 + 10 * random.nextDouble());
        }
        twins.check(operator, Attributes.NONE, x.type(), 8, x);
      }
    }
  }

  @Test
  void operandsStretchAndCombineAsTheirTwins() {
    var random = new SplittableRandom(3);
    List<List<Shape>> cases = List.of(List.of(Shape.of(5), Shape.of(5), Shape.of(5)),
      List.of(Shape.of(2, 3, 4, 5), Shape.of(3, 1, 1), Shape.of(2, 3, 4, 5)),
      List.of(Shape.of(3, 1), Shape.of(1, 7), Shape.of(3, 7)), List.of(Shape.SCALAR, Shape.of(300), Shape.of(300)),
      List.of(Shape.of(0), Shape.of(1), Shape.of(0)));
    for (String operator : List.of("Add", "Sub", "Mul", "Div", "Min", "Max", "Equal", "Less", "LessOrEqual", "Greater",
      "GreaterOrEqual")) {
      boolean compares = operator.length() > 3;
      for (DType dtype : DType.COMPUTED) {
        for (List<Shape> shapes : cases) {
          if (dtype != DType.BOOL) {
            TensorView a = TestTensors.random(dtype, shapes.get(0), random);
            TensorView b = TestTensors.random(dtype, shapes.get(1), random);
            twins.check(operator, Attributes.NONE, new TensorType(compares ? DType.BOOL : dtype, shapes.get(2)), 1, a,
              b);
          }
        }
      }
    }
  }

  @Test
  void sumTakesAnyNumberOfOperands() {
    var random = new SplittableRandom(4);
    TensorView a = TestTensors.random(DType.FLOAT32, Shape.of(3, 1), random);
    TensorView b = TestTensors.random(DType.FLOAT32, Shape.of(4), random);
    TensorView c = TestTensors.random(DType.FLOAT32, Shape.of(3, 4), random);
    twins.check("Sum", Attributes.NONE, TensorType.of(DType.FLOAT32, 3, 4), 3, a, b, c);
    twins.check("Sum", Attributes.NONE, TensorType.of(DType.FLOAT32, 3, 1), 1, a);
  }

  @Test
  void oddValuesComeOutAsTheyDoFromTheTwins() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(6), Double.NaN, Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY, -0.0, 1e-42, 3e38);
    TensorView y = TestTensors.of(DType.FLOAT32, Shape.of(6), 1, Double.NaN, 5, 0.0, -1, 3e38);
    for (String operator : List.of("Add", "Min", "Max", "Mul", "Div")) {
      twins.check(operator, Attributes.NONE, x.type(), 1, x, y);
    }
    for (String operator : List.of("Relu", "Abs", "Tanh", "Sigmoid", "Exp", "Erf", "HardSwish")) {
      twins.check(operator, Attributes.NONE, x.type(), 8, x);
    }
  }

  @Test
  void clipHasBothBoundsOneOrNone() {
    var random = new SplittableRandom(5);
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.INT32, DType.UINT8, DType.UINT64)) {
      TensorView x = TestTensors.random(dtype, Shape.of(70), random);
      TensorView low = TestTensors.of(dtype, Shape.SCALAR, 1);
      TensorView high = TestTensors.of(dtype, Shape.SCALAR, 20);
      twins.check("Clip", Attributes.NONE, x.type(), 1, x, low, high);
      twins.check("Clip", Attributes.NONE, x.type(), 1, x, null, high);
      twins.check("Clip", Attributes.NONE, x.type(), 1, x, high, low);
      twins.check("Clip", Attributes.NONE, x.type(), 1, x);
    }
  }

  @Test
  void booleansAreChosenAndCombined() {
    var random = new SplittableRandom(6);
    TensorView c = TestTensors.random(DType.BOOL, Shape.of(5, 1), random);
    TensorView d = TestTensors.random(DType.BOOL, Shape.of(5, 6), random);
    for (String operator : List.of("And", "Or", "Equal")) {
      twins.check(operator, Attributes.NONE, d.type(), 1, c, d);
    }
    twins.check("Not", Attributes.NONE, d.type(), 1, d);
    for (DType dtype : DType.COMPUTED) {
      twins.check("Where", Attributes.NONE, TensorType.of(dtype, 5, 6), 1, c, TestTensors.random(dtype, Shape.of(6),
        random), TestTensors.random(dtype, Shape.of(5, 6), random));
    }
  }
}
