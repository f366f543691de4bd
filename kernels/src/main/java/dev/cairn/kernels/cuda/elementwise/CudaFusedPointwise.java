package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;

/**
 * Runs a {@link PointwiseProgram} in one launch of a kernel that is generated for it and compiled on first use. Each
 * thread reads all of its elements before it writes one, so an output may overwrite an input of its type.
 */
public final class CudaFusedPointwise extends CudaKernel {
  private static final int TOGETHER = 4;

  public CudaFusedPointwise(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return CudaPointwiseSource.of(signature).text().isPresent();
  }

  @Override
  public Runnable prepare(KernelCall call) {
    KernelSignature signature = KernelSignature.of(call);
    Shape shape = signature.output(0).shape();
    long count = shape.elementCount();
    if (count == 0) {
      return () -> {};
    }
    CudaPointwiseSource source = CudaPointwiseSource.of(signature);
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
