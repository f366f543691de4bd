package dev.cairn.kernels.cpu.elementwise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.vector.VectorHalf;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every vector twin of the elementwise family against its portable twin. */
class VectorElementwiseTest implements Rounds {
  private static final long[] SIZES = {0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 4097, 50_001};
  private static final List<DType> TYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);
  private static final List<KernelRow> ROWS = ElementwiseKernels.ROWS;

  private static void check(String operator, Attributes attributes, Shape output, TensorView... inputs) {
    DType dtype = inputs[0].dtype();
    KernelRunner.checkTwins(ROWS, operator, attributes, List.of(new TensorType(dtype, output)), 1, inputs);
  }

  private static Stream<String> vectorOperators(Predicate<Kernel> wanted) {
    return ROWS.stream().filter(row -> row.twin() == Twin.VECTOR && row.dtypes().contains(DType.FLOAT32) && wanted.test(
      row.kernel())).map(KernelRow::operator).distinct();
  }

  static Stream<String> binary() {
    return vectorOperators(VectorElementwiseBinary.class::isInstance);
  }

  /** All others, but for those that have tests of their own. */
  static Stream<String> unary() {
    return vectorOperators(kernel -> !(kernel instanceof VectorElementwiseBinary
      || kernel instanceof VectorElementwisePow || kernel instanceof VectorHalf
      || kernel instanceof VectorElementwiseWhere || kernel instanceof VectorElementwiseLanes));
  }

  @ParameterizedTest
  @MethodSource
  void unary(String operator) {
    var random = new Random(11);
    for (DType dtype : TYPES) {
      for (long size : some(SIZES)) {
        var x = TestTensors.random(dtype, Shape.of(size), random);
        check(operator, Attributes.NONE, x.shape(), x);
        if (operator.equals("Gelu")) {
          check(operator, Attributes.NONE.with("approximate", new AttributeValue.Text("tanh")), x.shape(), x);
        }
        if (operator.equals("Swish")) {
          check(operator, Attributes.NONE.with("alpha", new AttributeValue.Real(1.7f)), x.shape(), x);
        }
        if (operator.equals("Clip")) {
          check(operator, Attributes.NONE, x.shape(), x, TestTensors.of(dtype, Shape.SCALAR, -0.5),
            TestTensors.of(dtype, Shape.SCALAR, 0.75));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("unary")
  void unaryOverAnyBits(String operator) {
    var x = TestTensors.randomBits(DType.FLOAT32, Shape.of(20_000), new Random(5));
    check(operator, Attributes.NONE, x.shape(), x);
  }

  /** With any bits: NaNs, infinities, the ends of the range. */
  @ParameterizedTest
  @MethodSource
  void lanes(KernelRow row) {
    var random = new Random(16);
    boolean compares = KernelRunner.portable(ROWS).stream().anyMatch(it -> it.operator().equals(row.operator()) && it
      .kernel() instanceof CpuElementwiseComparison);
    Shape whole = Shape.of(3, 5, 70);
    for (DType dtype : row.dtypes()) {
      for (Shape part : List.of(whole, Shape.of(70), Shape.of(5, 1), Shape.of(3, 1, 1), Shape.SCALAR, Shape.of(3, 1,
        70))) {
        var a = TestTensors.randomBits(dtype, whole, random);
        var b = TestTensors.randomBits(dtype, part, random);
        var outputs = List.of(new TensorType(compares ? DType.BOOL : dtype, whole));
        KernelRunner.checkTwins(ROWS, row.operator(), Attributes.NONE, outputs, 1, a, b);
        KernelRunner.checkTwins(ROWS, row.operator(), Attributes.NONE, outputs, 1, b, a);
      }
      for (long size : some(SIZES)) {
        var a = TestTensors.random(dtype, Shape.of(size), random);
        var outputs = List.of(new TensorType(compares ? DType.BOOL : dtype, a.shape()));
        KernelRunner.checkTwins(ROWS, row.operator(), Attributes.NONE, outputs, 1, a, TestTensors.random(dtype, a
          .shape(), random));
      }
    }
  }

  static Stream<KernelRow> lanes() {
    return ROWS.stream().filter(row -> row.kernel() instanceof VectorElementwiseLanes);
  }

  @Test
  void powersOfOneExponent() {
    var random = new Random(14);
    for (double exponent : new double[] {0, 1, -1, 4, -3, 7, 64, 65, -64, 0.7, -1.5, 100.25, Double.POSITIVE_INFINITY,
      Double.NaN}) {
      for (DType dtype : TYPES) {
        var one = TestTensors.of(dtype, Shape.SCALAR, exponent);
        for (long size : some(SIZES)) {
          var x = TestTensors.random(dtype, Shape.of(size), random);
          check("Pow", Attributes.NONE, x.shape(), x, one);
          check("Pow", Attributes.NONE, x.shape(), positive(x), one);
        }
        var any = TestTensors.randomBits(dtype, Shape.of(3000), random);
        check("Pow", Attributes.NONE, any.shape(), any, one);
        check("Pow", Attributes.NONE, any.shape(), positive(any), one);
      }
    }
  }

  @Test
  void powersOfManyExponents() {
    var random = new Random(15);
    Shape whole = Shape.of(3, 5, 7, 6);
    for (DType dtype : TYPES) {
      for (Shape part : List.of(whole, Shape.of(6), Shape.of(5, 1, 1), Shape.of(7, 1), Shape.of(1, 5, 1, 6))) {
        var x = TestTensors.random(dtype, whole, random);
        var exponents = TestTensors.random(dtype, part, random);
        check("Pow", Attributes.NONE, whole, x, exponents);
        check("Pow", Attributes.NONE, whole, positive(x), exponents);
        check("Pow", Attributes.NONE, whole, positive(exponents), x);
      }
      var any = TestTensors.randomBits(dtype, Shape.of(3000), random);
      check("Pow", Attributes.NONE, any.shape(), positive(any), TestTensors.random(dtype, any.shape(), random));
      check("Pow", Attributes.NONE, any.shape(), any, TestTensors.randomBits(dtype, any.shape(), random));
    }
  }

  private static TensorView positive(TensorView x) {
    TensorView sizes = TestTensors.copy(x);
    for (long i = 0; i < x.elementCount(); i++) {
      TestTensors.set(sizes, i, Math.abs(x.doubleAt(i)));
    }
    return sizes;
  }

  @ParameterizedTest
  @MethodSource
  void binary(String operator) {
    var random = new Random(12);
    for (DType dtype : TYPES) {
      for (long size : some(SIZES)) {
        var a = TestTensors.random(dtype, Shape.of(size), random);
        var one = TestTensors.random(dtype, Shape.of(1), random);
        check(operator, Attributes.NONE, a.shape(), a, TestTensors.random(dtype, Shape.of(size), random));
        check(operator, Attributes.NONE, a.shape(), a, one);
        check(operator, Attributes.NONE, a.shape(), one, a);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("binary")
  void broadcastForms(String operator) {
    var random = new Random(13);
    Shape whole = Shape.of(3, 5, 7, 6);
    for (Shape part : List.of(Shape.of(6), Shape.of(5, 1, 1), Shape.of(3, 1, 1, 1), Shape.of(7, 1),
      Shape.of(1, 5, 1, 6), Shape.SCALAR, whole)) {
      for (DType dtype : TYPES) {
        var a = TestTensors.random(dtype, whole, random);
        var b = TestTensors.random(dtype, part, random);
        check(operator, Attributes.NONE, whole, a, b);
        check(operator, Attributes.NONE, whole, b, a);
      }
    }
    var column = TestTensors.random(DType.FLOAT32, Shape.of(300, 1), random);
    var row = TestTensors.random(DType.FLOAT32, Shape.of(301), random);
    check(operator, Attributes.NONE, Shape.of(300, 301), column, row);
    for (long length : new long[] {8, 16, 24, 48, 512, 528}) {
      var many = TestTensors.random(DType.FLOAT32, Shape.of(301, length), random);
      var repeated = TestTensors.random(DType.FLOAT32, Shape.of(length), random);
      check(operator, Attributes.NONE, many.shape(), many, repeated);
      check(operator, Attributes.NONE, many.shape(), repeated, many);
    }
    var two = TestTensors.random(DType.FLOAT32, Shape.of(2, 1, 1), random);
    check(operator, Attributes.NONE, Shape.of(2, 300, 1), column, two);
  }

  @Test
  void anOutputMayLieOverItsInput() {
    var random = new Random(14);
    for (KernelRow row : ROWS) {
      if (row.twin() == Twin.VECTOR && List.of("Add", "Mul", "Exp", "Gelu").contains(row.operator())) {
        DType dtype = row.dtypes().iterator().next();
        var x = TestTensors.random(dtype, Shape.of(1003), random);
        var b = TestTensors.random(dtype, Shape.of(1), random);
        TensorView[] inputs = row.operator().equals("Add") || row.operator().equals("Mul")
          ? new TensorView[] {x, b}
          : new TensorView[] {x};
        try (var runner = new KernelRunner(ROWS, 2)) {
          var apart = runner.runRow(row, Attributes.NONE, List.of(x.type()), inputs).getFirst();
          runner.runInto(row, Attributes.NONE, List.of(x), inputs);
          KernelRunner.checkNumbers(row.operator(), apart, x);
        }
      }
    }
  }

  @Test
  void everyVectorRowHasAPortableOne() {
    for (KernelRow row : ROWS) {
      assertThat(ROWS).anyMatch(other -> other.twin() == Twin.PORTABLE && other.operator().equals(row.operator())
        && other.dtypes().containsAll(row.dtypes()));
    }
  }
}
