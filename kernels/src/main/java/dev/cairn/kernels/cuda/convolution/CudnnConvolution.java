package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.dnn.ConvolutionAlgorithm;
import dev.cairn.kernels.cuda.dnn.ConvolutionProblem;
import dev.cairn.kernels.cuda.dnn.Cudnn;
import dev.cairn.kernels.cuda.dnn.ForwardConvolution;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code Conv(x, w, bias?)} with cuDNN, over one to three spatial axes, for {@code float} and the half types. The bias
 * is broadcast to the output first, and cuDNN adds the sums to it, so that a half type is rounded once. cuDNN uses the
 * same padding at both ends of an axis. This kernel refuses convolutions that need different padding.
 */
public final class CudnnConvolution extends CudaKernel {
  private final Cudnn cudnn;
  private final OptionalInt algorithm;

  private CudnnConvolution(KernelLibrary library, Cudnn cudnn, OptionalInt algorithm) {
    super(library);
    this.cudnn = cudnn;
    this.algorithm = algorithm;
  }

  /** The kernel that uses cuDNN's first recommended algorithm. */
  public static CudnnConvolution asAdvised(KernelLibrary library, Cudnn cudnn) {
    return new CudnnConvolution(library, cudnn, OptionalInt.empty());
  }

  /** The kernel that uses one algorithm, by cuDNN's number. */
  public static CudnnConvolution by(KernelLibrary library, Cudnn cudnn, int algorithm) {
    return new CudnnConvolution(library, cudnn, OptionalInt.of(algorithm));
  }

  /** Whether cuDNN can describe this convolution. Only cuDNN knows whether it has an algorithm for it. */
  static boolean describes(KernelSignature signature) {
    return problem(signature, GemmPrecision.FLOAT32).isPresent();
  }

  /** The algorithms for a call, in the order of cuDNN's recommendation. */
  List<ConvolutionAlgorithm> algorithms(KernelSignature signature) {
    return problem(signature, library.ofFloats()).map(cudnn::algorithms).orElse(List.of());
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return chosen(signature).isPresent();
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return chosen(signature).orElseThrow().workspaceBytes();
  }

  private Optional<ConvolutionAlgorithm> chosen(KernelSignature signature) {
    return algorithms(signature).stream().filter(it -> algorithm.isEmpty() || it.number() == algorithm.getAsInt())
      .findFirst();
  }

  @Override
  public Runnable prepare(KernelCall call) {
    KernelSignature signature = KernelSignature.of(call);
    ForwardConvolution convolution = cudnn.prepare(problem(signature, library.ofFloats()).orElseThrow(), chosen(
      signature).orElseThrow(), call.has(2)).withWorkspace(call.workspace().address(), call.workspace().byteSize());
    CudaStream stream = Launch.streamOf(call);
    long result = call.output(0).segment().address();
    Runnable convolved = () -> convolution.run(stream, call.input(0).segment().address(), call.input(1).segment()
      .address(), result);
    return call.has(2)
      ? Launch.inOrder(List.of(stretched(call, CudaConvolution.biasShape(call)), convolved))
      : convolved;
  }

  private static Optional<ConvolutionProblem> problem(KernelSignature signature, GemmPrecision ofFloats) {
    Shape input = signature.input(0).shape();
    Shape weights = signature.input(1).shape();
    Shape output = signature.output(0).shape();
    int rank = input.rank();
    if (rank < 3 || rank > 5 || weights.rank() != rank || output.rank() != rank || !isCounted(input) || !isCounted(
      weights) || !isCounted(output)) {
      return Optional.empty();
    }
    ConvolutionGroups groups = ConvolutionGroups.of(signature.attributes(), input, weights);
    SlidingWindow window = SlidingWindow.ofWeights(signature.attributes(), input, weights);
    for (int axis = 0; axis < window.rank(); axis++) {
      if (!isPaddedAlike(window, axis, input.extent(axis + 2))) {
        return Optional.empty();
      }
    }
    return precision(signature.input(0).dtype(), ofFloats).map(it -> new ConvolutionProblem(it, extents(input), extents(
      weights), extents(output), axes(window, SlidingWindow.Axis::padBegin, 0),
      axes(window,
        SlidingWindow.Axis::stride, 1),
      axes(window, SlidingWindow.Axis::dilation, 1), groups.groups()));
  }

  private static Optional<GemmPrecision> precision(DType dtype, GemmPrecision ofFloats) {
    return switch (dtype) {
      case FLOAT32 -> Optional.of(ofFloats);
      case FLOAT16 -> Optional.of(GemmPrecision.FLOAT16);
      case BFLOAT16 -> Optional.of(GemmPrecision.BFLOAT16);
      default -> Optional.empty();
    };
  }

  /** Whether the shape is not empty and 32 bits suffice to count its elements. */
  private static boolean isCounted(Shape shape) {
    double elements = 1;
    for (long extent : shape.extents()) {
      elements *= extent;
    }
    return elements >= 1 && elements <= Integer.MAX_VALUE;
  }

  /** Whether the number of windows stays the same if the padding at the start is used at both ends. */
  private static boolean isPaddedAlike(SlidingWindow window, int axis, long extent) {
    long reach = (window.kernel(axis) - 1L) * window.dilation(axis) + 1;
    long slack = extent + 2L * window.padBegin(axis) - reach;
    return slack >= 0 && slack / window.stride(axis) + 1 == window.outputExtent(axis);
  }

  /** The extents for cuDNN. A tensor with one spatial axis gets another one of extent 1 before it. */
  private static List<Integer> extents(Shape shape) {
    List<Integer> extents = new ArrayList<>();
    for (int axis = 0; axis < shape.rank(); axis++) {
      if (axis == 2 && shape.rank() == 3) {
        extents.add(1);
      }
      extents.add(Math.toIntExact(shape.extent(axis)));
    }
    return extents;
  }

  private interface OfAxis {
    int of(SlidingWindow.Axis axis);
  }

  private static List<Integer> axes(SlidingWindow window, OfAxis value, int ofAbsent) {
    List<Integer> values = new ArrayList<>();
    if (window.rank() == 1) {
      values.add(ofAbsent);
    }
    window.axes().forEach(axis -> values.add(value.of(axis)));
    return values;
  }
}
