package dev.cairn.kernels;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.attribute.PointwiseProgram.Absent;
import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import dev.cairn.kernels.cuda.elementwise.ElementFunction;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A random program of elementwise steps with its inputs: all element types, operands of every way to stretch, values
 * read twice or only from outside, several results.
 */
public final class PointwiseCase {
  private static final List<Shape> SHAPES = List.of(Shape.SCALAR, Shape.of(1), Shape.of(0), Shape.of(7), Shape.of(2, 0,
    3), Shape.of(3, 5, 1, 7), Shape.of(4, 513), Shape.of(2, 3, 31, 17), Shape.of(5000), Shape.of(3, 2050),
    Shape.of(40_001));
  private static final List<DType> TYPES = List.copyOf(DType.COMPUTED);
  /** Functions whose results are the same bits however they are computed. */
  private static final List<String> EXACT_UNARY = List.of("Abs", "Neg", "Relu", "Sign");
  private static final List<String> EXACT_OF_FLOATS = List.of("Ceil", "Floor", "Round", "Shrink", "ThresholdedRelu");
  /** All other operators with one operand that CUDA has functions for. */
  private static final List<String> ROUNDED_UNARY = ElementFunction.ALL.stream().filter(it -> it.dtypes().contains(
    DType.FLOAT32)).map(ElementFunction::operator).filter(it -> !EXACT_UNARY.contains(it)
      && !EXACT_OF_FLOATS.contains(
        it))
    .toList();
  private static final List<String> BINARY = List.of("Add", "Sum", "Sub", "Mul", "Min", "Max", "Div");
  private static final List<String> OF_BOOLS = List.of("And", "Or");
  private static final List<String> COMPARISONS = List.of("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal");

  private final SplittableRandom random;
  private final Shape shape;
  private final boolean exact;
  private final List<TensorView> inputs = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<Integer> results = new ArrayList<>();

  private PointwiseCase(long seed, boolean exact, @Nullable TensorView first) {
    this.random = new SplittableRandom(seed);
    this.shape = first == null ? SHAPES.get(random.nextInt(SHAPES.size())) : first.shape();
    this.exact = exact;
    if (first != null) {
      inputs.add(first);
      add(unary(first.dtype()), first.dtype(), new Input(0));
    }
    int wanted = 2 + random.nextInt(10);
    while (steps.size() < wanted) {
      addStep();
    }
    var chosen = new TreeSet<>(List.of(wanted - 1));
    for (int step = 0; step < wanted; step++) {
      int it = step;
      boolean unread = steps.stream().noneMatch(other -> other.operands().contains(new Value(it)));
      if (unread || random.nextInt(8) == 0) {
        chosen.add(step);
      }
    }
    results.addAll(chosen);
  }

  /** The operators with one operand that programs may have. */
  public static Set<String> unaryOperators() {
    Set<String> all = new TreeSet<>(List.of("Not"));
    List.of(EXACT_UNARY, EXACT_OF_FLOATS, ROUNDED_UNARY).forEach(all::addAll);
    return all;
  }

  /** @param exact whether only steps whose results are the same bits on every device */
  public static PointwiseCase of(long seed, boolean exact) {
    return new PointwiseCase(seed, exact, null);
  }

  /** The same with the shape of a tensor that is input 0, of which the first step makes something. */
  public static PointwiseCase of(long seed, boolean exact, TensorView first) {
    return new PointwiseCase(seed, exact, first);
  }

  public PointwiseProgram program() {
    return new PointwiseProgram(steps, results);
  }

  public List<TensorView> inputs() {
    return inputs;
  }

  public List<TensorType> outputTypes() {
    return program().resultTypes().stream().map(dtype -> new TensorType(dtype, shape)).toList();
  }

  /** The results of the steps run one after the other on whole tensors. */
  public List<TensorView> unfused(KernelRunner runner) {
    return unfused(runner, inputs);
  }

  /** The same with another input 0. */
  public List<TensorView> unfused(KernelRunner runner, TensorView first) {
    List<TensorView> all = new ArrayList<>(inputs);
    all.set(0, first);
    return unfused(runner, all);
  }

  private List<TensorView> unfused(KernelRunner runner, List<TensorView> from) {
    List<TensorView> values = new ArrayList<>();
    for (Step step : steps) {
      @Nullable
      TensorView[] operands = new TensorView[step.operands().size()];
      for (int i = 0; i < operands.length; i++) {
        operands[i] = switch (step.operands().get(i)) {
          case Input(int index) -> from.get(index);
          case Value(int read) -> values.get(read);
          case Absent() -> null;
        };
      }
      values.add(runner.run(step.operator(), step.attributes(), new TensorType(step.dtype(), shape), operands));
    }
    return results.stream().map(values::get).toList();
  }

  private void addStep() {
    DType dtype = random.nextInt(3) > 0 && !steps.isEmpty() ? steps.getLast().dtype() : anyType();
    switch (random.nextInt(7)) {
      case 0, 1 -> add(unary(dtype), dtype, operand(dtype, true));
      case 2, 3 -> add(binary(dtype), dtype, dtype, 2);
      case 4 -> add(dtype == DType.BOOL ? "Equal" : COMPARISONS.get(random.nextInt(COMPARISONS.size())), dtype,
        DType.BOOL, 2);
      case 5 -> steps.add(new Step("Where", Attributes.NONE, dtype, List.of(operand(DType.BOOL, true), operand(dtype,
        false), operand(dtype, false))));
      default -> addCastOrClip(dtype);
    }
  }

  private void addCastOrClip(DType dtype) {
    if (random.nextBoolean() && dtype != DType.BOOL) {
      steps.add(new Step("Clip", Attributes.NONE, dtype, List.of(operand(dtype, true), random.nextBoolean()
        ? single(dtype)
        : new Absent(), single(dtype))));
      return;
    }
    DType to = anyType();
    // Devices may convert a float beyond a whole number's range differently.
    boolean defined = !exact || !dtype.isFloat() || to.isFloat();
    steps.add(new Step("Cast", Attributes.NONE.with("to", new AttributeValue.Text((defined ? to : dtype).toString())),
      defined ? to : dtype, List.of(operand(dtype, true))));
  }

  private void add(String operator, DType dtype, Operand operand) {
    steps.add(new Step(operator, attributes(operator), dtype, List.of(operand)));
  }

  private Attributes attributes(String operator) {
    return switch (operator) {
      case "Gelu" -> Attributes.NONE.with("approximate", new AttributeValue.Text(random.nextBoolean()
        ? "tanh"
        : "none"));
      case "LeakyRelu", "Celu", "ThresholdedRelu" -> Attributes.NONE.with("alpha", new AttributeValue.Real(0.3f));
      case "Shrink" -> Attributes.NONE.with("bias", new AttributeValue.Real(0.25f));
      default -> Attributes.NONE;
    };
  }

  private void add(String operator, DType of, DType result, int operands) {
    List<Operand> read = new ArrayList<>(List.of(operand(of, true)));
    while (read.size() < operands) {
      read.add(operand(of, false));
    }
    steps.add(new Step(operator, Attributes.NONE, result, random.nextBoolean() ? read : read.reversed()));
  }

  private String unary(DType dtype) {
    if (dtype == DType.BOOL) {
      return "Not";
    }
    if (dtype.isUnsigned()) {
      return random.nextBoolean() ? "Abs" : "Sign";
    }
    List<String> some = !dtype.isFloat() || random.nextInt(3) == 0
      ? EXACT_UNARY
      : exact || random.nextInt(4) == 0 ? EXACT_OF_FLOATS : ROUNDED_UNARY;
    return some.get(random.nextInt(some.size()));
  }

  private String binary(DType dtype) {
    if (dtype == DType.BOOL) {
      return OF_BOOLS.get(random.nextInt(OF_BOOLS.size()));
    }
    String operator = BINARY.get(random.nextInt(BINARY.size()));
    // The bits of NaN differ between devices.
    return exact && dtype.isFloat() && operator.equals("Div") ? "Mul" : operator;
  }

  private DType anyType() {
    return random.nextInt(3) == 0 ? DType.FLOAT32 : TYPES.get(random.nextInt(TYPES.size()));
  }

  private Operand operand(DType dtype, boolean whole) {
    List<Integer> fitting = new ArrayList<>();
    for (int step = 0; step < steps.size(); step++) {
      if (steps.get(step).dtype() == dtype) {
        fitting.add(step);
      }
    }
    if (!fitting.isEmpty() && random.nextInt(4) > 0) {
      return new Value(random.nextBoolean() ? fitting.getLast() : fitting.get(random.nextInt(fitting.size())));
    }
    Shape wanted = whole ? shape : stretching();
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).type().equals(new TensorType(dtype, wanted)) && random.nextInt(3) > 0) {
        return new Input(i);
      }
    }
    return input(dtype, wanted);
  }

  private Operand input(DType dtype, Shape wanted) {
    inputs.add(TestTensors.random(dtype, wanted, random));
    return new Input(inputs.size() - 1);
  }

  private Operand single(DType dtype) {
    return input(dtype, Shape.SCALAR);
  }

  /** A shape that stretches to the program's. */
  private Shape stretching() {
    long[] extents = shape.extents();
    switch (random.nextInt(4)) {
      case 0 -> {
        return shape;
      }
      case 1 -> {
        return Shape.SCALAR;
      }
      case 2 -> Arrays.setAll(extents, i -> random.nextBoolean() ? 1 : shape.extent(i));
      default -> extents = Arrays.copyOfRange(extents, extents.length == 0 ? 0 : random.nextInt(extents.length),
        extents.length);
    }
    return Shape.of(extents);
  }
}
