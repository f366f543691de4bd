package dev.cairn.kernels;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A random product or convolution of awkward extents, with a random program after it. Operands are small whole numbers,
 * so that every sum is exact in any order and in any type, and products give the same bits however they are computed.
 */
public final class ProductCase {
  private static final List<Integer> EXTENTS = List.of(1, 2, 7, 16, 17, 63, 65);

  private final SplittableRandom random;
  private final DType dtype;
  private final List<@Nullable TensorView> operands = new ArrayList<>();
  private String operator = "";
  private Attributes attributes = Attributes.NONE;
  private Shape shape = Shape.SCALAR;

  private ProductCase(long seed, DType dtype) {
    this.random = new SplittableRandom(seed);
    this.dtype = dtype;
  }

  /** A convolution: grouped, strided, dilated, padded; with few outputs a group, or with many. */
  public static ProductCase conv(long seed, DType dtype) {
    var it = new ProductCase(seed, dtype);
    it.convolve();
    return it;
  }

  /** {@code MatMul} of stretching batches, some with so many terms that they are summed in parts. */
  public static ProductCase matmul(long seed, DType dtype) {
    var it = new ProductCase(seed, dtype);
    int rows = it.extent();
    int columns = it.extent();
    int depth = it.random.nextInt(3) == 0 ? 600 : it.extent();
    int batch = 1 + it.random.nextInt(3);
    it.set("MatMul", Attributes.NONE, Shape.of(batch, rows, columns));
    it.operands.add(it.small(Shape.of(batch, rows, depth)));
    it.operands.add(it.small(it.random.nextBoolean() ? Shape.of(depth, columns) : Shape.of(batch, depth, columns)));
    it.operands.add(null);
    return it;
  }

  /** {@code Gemm}, transposed or not, with and without what is added. */
  public static ProductCase gemm(long seed, DType dtype) {
    var it = new ProductCase(seed, dtype);
    int rows = it.extent();
    int columns = it.extent();
    int depth = it.random.nextInt(3) == 0 ? 600 : it.extent();
    boolean left = it.random.nextBoolean();
    boolean right = it.random.nextBoolean();
    it.set("Gemm", Attributes.NONE.with("transA", left ? 1 : 0).with("transB", right ? 1 : 0).with("alpha",
      new AttributeValue.Real(2)).with("beta", new AttributeValue.Real(0.5f)), Shape.of(rows, columns));
    it.operands.add(it.small(left ? Shape.of(depth, rows) : Shape.of(rows, depth)));
    it.operands.add(it.small(right ? Shape.of(columns, depth) : Shape.of(depth, columns)));
    it.operands.add(it.random.nextBoolean() ? it.small(Shape.of(columns)) : null);
    return it;
  }

  private void set(String operator, Attributes attributes, Shape shape) {
    this.operator = operator;
    this.attributes = attributes;
    this.shape = shape;
  }

  private int extent() {
    return EXTENTS.get(random.nextInt(EXTENTS.size()));
  }

  private void convolve() {
    int groups = 1 + random.nextInt(3);
    int inputs = random.nextInt(4) == 0 ? 70 : 1 + random.nextInt(5);
    int outputs = random.nextBoolean() ? 1 + random.nextInt(8) : 9 + random.nextInt(60);
    Attributes given = Attributes.NONE.with("strides", AttributeValue.Ints.of(1 + random.nextInt(2), 1 + random.nextInt(
      3))).with("dilations", AttributeValue.Ints.of(1, 1 + random.nextInt(2))).with("pads", AttributeValue.Ints.of(
        random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3)))
      .with("group", groups);
    Shape input = Shape.of(1 + random.nextInt(2), (long) inputs * groups, 5 + random.nextInt(6), 7 + random.nextInt(7));
    Shape weights = Shape.of((long) outputs * groups, inputs, 1 + random.nextInt(3), 1 + random.nextInt(3));
    set("Conv", given, SlidingWindow.ofWeights(given, input, weights).outputShape(input.extent(0), weights.extent(0)));
    operands.add(small(input));
    operands.add(small(weights));
    operands.add(random.nextBoolean() ? small(Shape.of(weights.extent(0))) : null);
  }

  /**
   * A tensor of -1, 0 and 1: sums stay far below 2^11, so 16 bits hold them exactly, except those of bfloat16, which
   * are rounded once.
   */
  private TensorView small(Shape of) {
    double[] values = new double[Math.toIntExact(of.elementCount())];
    Arrays.setAll(values, i -> random.nextInt(3) - 1);
    return TestTensors.of(dtype, of, values);
  }

  /** What the product makes. */
  public TensorType result() {
    return new TensorType(dtype, shape);
  }

  /** A random program that makes something of the product. */
  public PointwiseCase program(long seed, boolean exact) {
    return PointwiseCase.of(seed, exact, TestTensors.zeros(result()));
  }

  /** The attributes of both as one node. */
  public Attributes fused(PointwiseCase program) {
    return new FusedProduct(operator, attributes, program.program()).all();
  }

  /** The inputs of both as one node. */
  public @Nullable TensorView[] inputs(PointwiseCase program) {
    List<@Nullable TensorView> all = new ArrayList<>(operands);
    all.addAll(program.inputs().subList(1, program.inputs().size()));
    return all.toArray(@Nullable TensorView[]::new);
  }

  /** The product alone, by the runner's preferred kernel, and then the steps one after the other. */
  public List<TensorView> unfused(KernelRunner runner, PointwiseCase program) {
    TensorView product = runner.run(operator, attributes, result(), operands.toArray(@Nullable TensorView[]::new));
    return program.unfused(runner, product);
  }

  @Override
  public String toString() {
    return operator + attributes + operands.stream().map(it -> it == null ? "_" : it.type().toString()).toList();
  }
}
