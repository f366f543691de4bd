package dev.cairn.gpu.kernel;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.cuda.elementwise.ElementFunction;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The elementwise family on CUDA against its portable twins. */
class CudaElementwiseTest {
  private static final List<Shape> SHAPES = List.of(Shape.SCALAR, Shape.of(1), Shape.of(3), Shape.of(255),
    Shape.of(7, 1, 33), Shape.of(0, 4));
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static final List<Double> ODD = List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
    -0.0, 0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0, 100.0, -100.0);
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

  /** Every function that CUDA has, with the attributes' defaults and with other values. */
  @Test
  void everyFunctionOfOneElementIsItsTwin() {
    checkFunctions(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void everyFunctionOfOneElementIsItsTwinInOtherTypes() {
    checkFunctions(CudaTwins.others(DType.COMPUTED));
  }

  private void checkFunctions(List<DType> dtypes) {
    var random = new SplittableRandom(1);
    for (ElementFunction function : ElementFunction.ALL) {
      for (DType dtype : dtypes) {
        if (!function.dtypes().contains(dtype)) {
          continue;
        }
        for (Shape shape : SHAPES) {
          TensorView x = operand(dtype, shape, random);
          for (Attributes attributes : attributes(function)) {
            twins.check(function.operator(), attributes, x.type(), dtype.isFloat() ? 8 : 1, x);
          }
        }
      }
    }
  }

  /** One program of every element type has every function as a step, and gives the bits of the steps alone. */
  @Test
  void everyFunctionIsTheSameAsAStepOfAFusedProgram() {
    checkSteps(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void everyFunctionIsTheSameAsAStepOfAFusedProgramInOtherTypes() {
    checkSteps(CudaTwins.others(DType.COMPUTED));
  }

  private void checkSteps(List<DType> dtypes) {
    var random = new SplittableRandom(21);
    for (DType dtype : dtypes) {
      TensorView x = operand(dtype, Shape.of(301), random);
      List<PointwiseProgram.Step> steps = new ArrayList<>();
      for (ElementFunction function : ElementFunction.ALL) {
        if (function.dtypes().contains(dtype)) {
          attributes(function).forEach(it -> steps.add(step(function.operator(), it, dtype)));
        }
      }
      if (dtype.isFloat()) {
        steps.add(step("IsNaN", Attributes.NONE, DType.BOOL));
        signs().forEach(it -> steps.add(step("IsInf", it, DType.BOOL)));
      }
      var program = new PointwiseProgram(steps, IntStream.range(0, steps.size()).boxed().toList());
      List<TensorType> types = program.resultTypes().stream().map(it -> new TensorType(it, x.shape())).toList();
      List<TensorView> fused = twins.run(PointwiseProgram.OPERATOR, program.attributes(), types, x);
      for (int i = 0; i < fused.size(); i++) {
        PointwiseProgram.Step it = steps.get(i);
        TensorView alone = twins.run(it.operator(), it.attributes(), List.of(types.get(i)), x).getFirst();
        KernelRunner.checkNumbers(it.operator() + it.attributes(), alone, fused.get(i));
      }
    }
  }

  private static PointwiseProgram.Step step(String operator, Attributes attributes, DType result) {
    return new PointwiseProgram.Step(operator, attributes, result, List.of(new PointwiseProgram.Input(0)));
  }

  /** Random elements; where there is room, floats begin with NaN, infinities, zeros and halves. */
  private static TensorView operand(DType dtype, Shape shape, SplittableRandom random) {
    TensorView x = TestTensors.random(dtype, shape, random);
    if (dtype.isFloat() && x.elementCount() > ODD.size()) {
      for (int i = 0; i < ODD.size(); i++) {
        TestTensors.set(x, i, ODD.get(i));
      }
    }
    return x;
  }

  /** No attributes, and values other than the defaults for all that a function takes. */
  private static List<Attributes> attributes(ElementFunction function) {
    if (function.operator().equals("Gelu")) {
      return List.of(Attributes.NONE, Attributes.NONE.with("approximate", new AttributeValue.Text("tanh")));
    }
    Attributes other = Attributes.NONE;
    for (ActivationForm.Parameter parameter : function.form().parameters()) {
      other = other.with(parameter.attribute(), new AttributeValue.Real(parameter.otherwise() * 0.75f + 0.125f));
    }
    return function.form().parameters().isEmpty() ? List.of(Attributes.NONE) : List.of(Attributes.NONE, other);
  }

  @Test
  void predicatesAreTheirTwins() {
    checkPredicates(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void predicatesAreTheirTwinsInOtherTypes() {
    checkPredicates(CudaTwins.others(FLOATS));
  }

  private void checkPredicates(List<DType> dtypes) {
    var random = new SplittableRandom(2);
    for (DType dtype : dtypes) {
      TensorView x = operand(dtype, Shape.of(301), random);
      TensorType holds = new TensorType(DType.BOOL, x.shape());
      twins.check("IsNaN", Attributes.NONE, holds, 1, x);
      signs().forEach(it -> twins.check("IsInf", it, holds, 1, x));
    }
  }

  /** Which infinities count: none, one, both. */
  private static List<Attributes> signs() {
    return List.of(Attributes.NONE, Attributes.NONE.with("detect_positive", 0), Attributes.NONE.with("detect_negative",
      0), Attributes.NONE.with("detect_positive", 0).with("detect_negative", 0));
  }

  @Test
  void operandsStretchAndCombineAsTheirTwins() {
    checkCombinations(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void operandsStretchAndCombineAsTheirTwinsInOtherTypes() {
    checkCombinations(CudaTwins.others(DType.COMPUTED));
  }

  private void checkCombinations(List<DType> dtypes) {
    var random = new SplittableRandom(3);
    List<List<Shape>> cases = List.of(List.of(Shape.of(5), Shape.of(5), Shape.of(5)),
      List.of(Shape.of(2, 3, 4, 5), Shape.of(3, 1, 1), Shape.of(2, 3, 4, 5)),
      List.of(Shape.of(3, 1), Shape.of(1, 7), Shape.of(3, 7)), List.of(Shape.SCALAR, Shape.of(300), Shape.of(300)),
      List.of(Shape.of(0), Shape.of(1), Shape.of(0)));
    for (String operator : List.of("Add", "Sub", "Mul", "Div", "Min", "Max", "Equal", "Less", "LessOrEqual", "Greater",
      "GreaterOrEqual")) {
      boolean compares = operator.length() > 3;
      for (DType dtype : dtypes) {
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
  }

  @Test
  void clipHasBothBoundsOneOrNone() {
    checkClip(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void clipHasBothBoundsOneOrNoneInOtherTypes() {
    checkClip(List.of(DType.FLOAT16, DType.INT32, DType.UINT8, DType.UINT64));
  }

  private void checkClip(List<DType> dtypes) {
    var random = new SplittableRandom(5);
    for (DType dtype : dtypes) {
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
  void booleansAreCombined() {
    var random = new SplittableRandom(6);
    TensorView c = TestTensors.random(DType.BOOL, Shape.of(5, 1), random);
    TensorView d = TestTensors.random(DType.BOOL, Shape.of(5, 6), random);
    for (String operator : List.of("And", "Or", "Xor", "Equal")) {
      twins.check(operator, Attributes.NONE, d.type(), 1, c, d);
    }
    twins.check("Not", Attributes.NONE, d.type(), 1, d);
  }

  @Test
  void elementsAreChosen() {
    checkWhere(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void elementsAreChosenInOtherTypes() {
    checkWhere(CudaTwins.others(DType.COMPUTED));
  }

  private void checkWhere(List<DType> dtypes) {
    var random = new SplittableRandom(7);
    TensorView c = TestTensors.random(DType.BOOL, Shape.of(5, 1), random);
    for (DType dtype : dtypes) {
      twins.check("Where", Attributes.NONE, TensorType.of(dtype, 5, 6), 1, c, TestTensors.random(dtype, Shape.of(6),
        random), TestTensors.random(dtype, Shape.of(5, 6), random));
    }
  }
}
