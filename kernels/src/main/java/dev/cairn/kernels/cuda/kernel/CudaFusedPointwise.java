package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaPointwiseSource.Spread;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.List;
import java.util.Optional;

/**
 * Runs a {@link PointwiseProgram} in one launch of a kernel that is generated for it, and compiled when it is first
 * seen. Each thread reads all of its elements before it writes one, so outputs may lie over inputs of their type.
 */
public final class CudaFusedPointwise extends CudaKernel {
  /** Threads round up to fours, and go round by a grid's stride, within 32 bits. */
  private static final long MOST_SMALL = 1L << 31;
  private static final int TOGETHER = 4;

  public CudaFusedPointwise(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return source(signature).text().isPresent();
  }

  private static CudaPointwiseSource source(KernelSignature signature) {
    Shape shape = signature.output(0).shape();
    List<TensorType> inputs = signature.inputs().stream().flatMap(Optional::stream).toList();
    List<DType> dtypes = inputs.stream().map(TensorType::dtype).toList();
    List<Spread> spreads = inputs.stream().map(it -> spread(it.shape(), shape)).toList();
    return new CudaPointwiseSource(PointwiseProgram.of(signature.attributes()), dtypes, spreads, shape
      .elementCount() < MOST_SMALL);
  }

  private static Spread spread(Shape input, Shape output) {
    long count = input.elementCount();
    return count == output.elementCount() ? Spread.DENSE : count == 1 ? Spread.SINGLE : Spread.STRETCHED;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    KernelSignature signature = KernelSignature.of(call);
    Shape shape = signature.output(0).shape();
    long count = shape.elementCount();
    if (count == 0) {
      return () -> {};
    }
    CudaPointwiseSource source = source(signature);
    String text = source.text().orElseThrow(() -> new IllegalArgumentException("a step is not known: program=" + source
      .program()));
    Launch.Builder launch = Launch.of(call, library.generated(text, CudaPointwiseSource.FUNCTION));
    for (int i = 0; i < call.inputCount(); i++) {
      launch.input(i);
    }
    for (int i = 0; i < call.outputCount(); i++) {
      launch.output(i);
    }
    launch.value(count);
    for (List<Integer> walk : source.walks()) {
      Shape[] shapes = walk.stream().map(i -> signature.input(i).shape()).toArray(Shape[]::new);
      launch.structure(BroadcastWalk.of(shape, shapes).bytes());
    }
    return launch.overElements(Math.ceilDiv(count, TOGETHER));
  }
}
