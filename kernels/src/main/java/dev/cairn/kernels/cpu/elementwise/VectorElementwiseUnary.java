package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GeluForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.LoopCopy;
import dev.cairn.kernels.cpu.elementwise.UnaryLoop.Parameters;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorLogarithm;
import dev.cairn.kernels.cpu.vector.VectorMath;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.Function;
import java.util.function.Predicate;

/** Operators that map each {@code float32} by itself. */
public final class VectorElementwiseUnary implements PlacedKernel {
  /** Elements that are worth a second thread. */
  private static final long GRAIN = 1 << 14;
  private static final long POLYNOMIAL_GRAIN = 1 << 13;

  public static final Kernel NEG = plain((x, a, b) -> x.neg());
  public static final Kernel ABS = plain((x, a, b) -> x.abs());
  public static final Kernel SQRT = plain((x, a, b) -> x.sqrt());
  public static final Kernel RECIPROCAL = plain((x, a, b) -> VectorMath.ONE.div(x));
  public static final Kernel EXP = polynomial((x, a, b) -> VectorMath.exp(x));
  public static final Kernel LOG = polynomial((x, a, b) -> VectorLogarithm.log(x));
  public static final Kernel TANH = polynomial((x, a, b) -> VectorMath.tanh(x));
  public static final Kernel ERF = polynomial((x, a, b) -> VectorMath.erf(x));
  public static final Kernel SIGMOID = polynomial((x, a, b) -> VectorMath.sigmoid(x));
  public static final Kernel RELU = plain(VectorUnaryFunctions::relu);
  public static final Kernel HARD_SWISH = plain(VectorUnaryFunctions::hardSwish);
  public static final Kernel GELU = new VectorElementwiseUnary(VectorUnaryFunctions::gelu, any -> Parameters.NONE,
    is -> !byTanh(is.attributes()), POLYNOMIAL_GRAIN);
  public static final Kernel GELU_BY_TANH = new VectorElementwiseUnary(VectorUnaryFunctions::geluByTanh,
    any -> Parameters.NONE, is -> byTanh(is.attributes()), POLYNOMIAL_GRAIN);
  public static final Kernel LEAKY_RELU = new VectorElementwiseUnary(VectorUnaryFunctions::leakyRelu,
    parameters(ActivationForm.LEAKY_RELU), any -> true, GRAIN);
  public static final Kernel SWISH = new VectorElementwiseUnary(VectorUnaryFunctions::swish,
    parameters(ActivationForm.SWISH), any -> true, POLYNOMIAL_GRAIN);
  public static final Kernel HARD_SIGMOID = new VectorElementwiseUnary(VectorUnaryFunctions::hardSigmoid,
    parameters(ActivationForm.HARD_SIGMOID), any -> true, GRAIN);

  private final UnaryLoop loop;
  private final Function<Attributes, Parameters> parameters;
  private final Predicate<KernelSignature> accepts;
  private final long grain;

  private VectorElementwiseUnary(UnaryLoop.Function function, Function<Attributes, Parameters> parameters,
    Predicate<KernelSignature> accepts, long grain) {
    this.loop = copy(function);
    this.parameters = parameters;
    this.accepts = accepts;
    this.grain = grain;
  }

  private static Function<Attributes, Parameters> parameters(ActivationForm form) {
    return given -> new Parameters(form.of(given, 0), form.of(given, 1));
  }

  private static Kernel plain(UnaryLoop.Function function) {
    return new VectorElementwiseUnary(function, any -> Parameters.NONE, any -> true, GRAIN);
  }

  private static Kernel polynomial(UnaryLoop.Function function) {
    return new VectorElementwiseUnary(function, any -> Parameters.NONE, any -> true, POLYNOMIAL_GRAIN);
  }

  static UnaryLoop copy(UnaryLoop.Function function) {
    return LoopCopy.of(MethodHandles.lookup(), UnaryLoop.class, UnaryLoopTemplate.class, function);
  }

  private static boolean byTanh(Attributes attributes) {
    return GeluForm.of(attributes).isByTanh();
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return accepts.test(signature);
  }

  @Override
  public Placed forShapes(KernelSignature signature) {
    Parameters given = parameters.apply(signature.attributes());
    long count = signature.output(0).shape().elementCount();
    return (inputs, output) -> loop.run(inputs[0], output, 0, count, given);
  }

  @Override
  public void run(KernelCall call) {
    run(call, loop, parameters.apply(call.attributes()), grain);
  }

  static void run(KernelCall call, UnaryLoop loop, Parameters given) {
    run(call, loop, given, GRAIN);
  }

  private static void run(KernelCall call, UnaryLoop loop, Parameters given, long grain) {
    MemorySegment source = call.input(0).segment();
    MemorySegment target = call.output(0).segment();
    CpuStream.of(call).parallel(call.output(0).elementCount(), grain,
      (first, end) -> loop.run(source, target, first, end, given));
  }
}
