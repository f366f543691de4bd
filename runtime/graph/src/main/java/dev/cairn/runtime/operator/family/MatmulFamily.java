package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.HALF;
import static dev.cairn.runtime.operator.OperatorTrait.PRODUCT;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.NOT_WRITTEN;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.SECOND_DERIVATIVE;

import dev.cairn.kernels.attribute.EinsumEquation;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.ProductGradients;
import dev.cairn.runtime.operator.partial.ProductPartials;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Products of matrices. */
public final class MatmulFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("Det", 1, 1, MatmulFamily::determinant, MemoryTraits.NONE)
      .gradient(ProductGradients::determinant),
    new OperatorDefinition("DetGradient", 2, 2, MatmulFamily::determinantGradient, MemoryTraits.NONE).named("X",
      "head").noGradient(SECOND_DERIVATIVE),
    new OperatorDefinition("Einsum", 1, OperatorDefinition.ANY_NUMBER, MatmulFamily::einsum, MemoryTraits.NONE)
      .named("data").gradient(ProductGradients::einsum),
    new OperatorDefinition("Gemm", 2, 3, MatmulFamily::gemm, MemoryTraits.NONE).named("A", "B", "C").with(HALF, PRODUCT)
      .working(MatmulFamily::gemmMultiplications).partial(ProductPartials::gemm).withWeights(0, 1, 2)
      .gradient(ProductGradients::gemm),
    new OperatorDefinition("Inverse", 1, 1, MatmulFamily::inverse, MemoryTraits.NONE).ofDomain(OnnxFacts.MICROSOFT)
      .noGradient(NOT_WRITTEN),
    new OperatorDefinition("MatMul", 2, 2, MatmulFamily::matmul, MemoryTraits.NONE).named("A", "B").with(HALF, PRODUCT)
      .working(MatmulFamily::multiplications).partial(ProductPartials::matmul).withWeights(0, 1)
      .gradient(ProductGradients::matmul));

  private MatmulFamily() {}

  private static List<TensorType> matmul(TypeContext context) {
    DType dtype = AdmittedTypes.WIDE.require(context, 0, 1);
    return List.of(new TensorType(dtype, product(context, context.shape(0), context.shape(1))));
  }

  /**
   * The shape of a product, as in NumPy: the last two axes are matrices, the others broadcast; a vector is a row at the
   * left and a column at the right.
   */
  static Shape product(TypeContext context, Shape left, Shape right) {
    if (left.rank() == 0 || right.rank() == 0) {
      throw context.fault("a scalar is not a matrix: left=%s right=%s".formatted(left, right));
    }
    requireInner(context, left.extent(-1), right.rank() == 1 ? right.extent(0) : right.extent(-2));
    Shape batch = outer(left).broadcastWith(outer(right));
    long[] extents = Arrays.copyOf(batch.extents(), batch.rank() + 2);
    int rank = batch.rank();
    if (left.rank() > 1) {
      extents[rank++] = left.extent(-2);
    }
    if (right.rank() > 1) {
      extents[rank++] = right.extent(-1);
    }
    return Shape.of(Arrays.copyOf(extents, rank));
  }

  /** The axes before the matrices. */
  private static Shape outer(Shape shape) {
    return Shape.of(Arrays.copyOf(shape.extents(), Math.max(0, shape.rank() - 2)));
  }

  /** {@code alpha * A * B + beta * C}, where C stretches to the product's shape. */
  private static List<TensorType> gemm(TypeContext context) {
    DType dtype = AdmittedTypes.WIDE.require(context, 0, 1, 2);
    Shape left = context.shape(0);
    Shape right = context.shape(1);
    if (left.rank() != 2 || right.rank() != 2) {
      throw context.fault("not matrices: left=%s right=%s".formatted(left, right));
    }
    GemmForm form = GemmForm.of(context.attributes());
    int rows = form.transA() ? 1 : 0;
    int columns = form.transB() ? 0 : 1;
    requireInner(context, left.extent(1 - rows), right.extent(1 - columns));
    Shape product = Shape.of(left.extent(rows), right.extent(columns));
    if (context.has(2) && !context.shape(2).broadcastWith(product).equals(product)) {
      throw context.fault("C cannot be broadcast to the product: c=%s product=%s".formatted(context.shape(2), product));
    }
    return List.of(new TensorType(dtype, product));
  }

  private static void requireInner(TypeContext context, long left, long right) {
    if (left != right) {
      throw context.fault("inner extents differ: left=%d right=%d".formatted(left, right));
    }
  }

  private static List<TensorType> determinant(TypeContext context) {
    DType dtype = AdmittedTypes.FLOATS.require(context, 0);
    requireSquares(context);
    return List.of(new TensorType(dtype, outer(context.shape(0))));
  }

  private static List<TensorType> inverse(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0);
    requireSquares(context);
    return List.of(context.input(0));
  }

  private static void requireSquares(TypeContext context) {
    Shape x = context.shape(0);
    if (x.rank() < 2 || x.extent(-1) != x.extent(-2)) {
      throw context.fault("square matrices are needed: input=" + x);
    }
  }

  /** {@code (x, h)} to the gradient of the matrices. */
  private static List<TensorType> determinantGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1);
    context.requireShape(1, determinant(context).getFirst().shape(), "not the shape of the result");
    return List.of(context.input(0));
  }

  private static List<TensorType> einsum(TypeContext context) {
    DType dtype = AdmittedTypes.NUMBERS.requireAll(context);
    List<Shape> shapes = IntStream.range(0, context.inputCount()).mapToObj(context::shape).toList();
    EinsumEquation equation = EinsumEquation.of(EinsumEquation.text(context.attributes()), shapes);
    return List.of(new TensorType(dtype, equation.result()));
  }

  /** The operations of a product whose first operand has the summed axis last. */
  static long multiplications(TypeContext use, TensorType result) {
    return 2 * result.shape().elementCount() * use.shape(0).extent(-1);
  }

  private static long gemmMultiplications(TypeContext use, TensorType result) {
    int summed = GemmForm.of(use.attributes()).transA() ? 0 : -1;
    return 2 * result.shape().elementCount() * use.shape(0).extent(summed);
  }
}
