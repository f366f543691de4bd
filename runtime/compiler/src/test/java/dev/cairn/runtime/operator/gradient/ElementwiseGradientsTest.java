package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ElementwiseGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Add([2x3], [2x3])
      Add([2x3], [3])
      Add([scalar], [2x1])
      Add([0x3], [3])
      Sub([2x1], [1x3])
      Mul([2x3], [3])
      Mul([1], [1])
      Div([2x3], [2x1]) in 0.5..2.5
      Div([3], [2x3]) in 0.5..2.5
      Mod{fmod=1}([2x3], [3]) in 0.5..2.5
      Pow([2x3], float64:2.0)
      Pow([2x3], int64:3)
      Pow([2x3], float64:1.0)
      Pow([2x3], float64:0.0)
      Pow([3], float64:-0.5) in 0.1..2
      Pow([2x3], [3]) in 0.1..2
      Pow([3], float64:[0.0,1.0,2.0])
      Sum([2x3], [3], [2x1])
      Mean([2x3], [3], [2x1])
      Max([2x3], [3], [2x1])
      Max([4])
      Min([2x3], [2x3])
      Abs([2x3])
      Neg([3])
      Exp([3])
      Log([3]) in 0.1..2
      Sqrt([3]) in 0.1..2
      Reciprocal([3]) in 0.5..2.5
      Sin([3])
      Cos([3])
      Tan([3]) in -1..1
      Asin([3]) in -0.8..0.8
      Acos([3]) in -0.8..0.8
      Atan([3])
      Sinh([3])
      Cosh([3])
      Tanh([3])
      Asinh([3])
      Acosh([3]) in 1.5..2.5
      Atanh([3]) in -0.8..0.8
      Erf([3])
      Clip([6])
      Clip([6], float64:-1.0, float64:0.5)
      Clip([6], _, float64:[0.5])
      Clip([6], [scalar], float64:0.55)
      Clip([6], [1])
      Clip([2x3], [scalar], [scalar])
      Clip([6], _, [1])
      Clip([scalar], float64:1.05, [1])
      Where(bool:[1,0,1], [2x3], [2x1])
      Cast{to="float64"}([3])
      CastLike([3], float64:[1.0])
      """);
  }
}
