package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.PlannedKernel;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    return new Planned(library, KernelSignature.of(call)).prepare(call);
  }

  @Override
  public PlannedKernel planned(KernelSignature signature, Set<Integer> constants) {
    return new PlannedKernel(new Planned(library, signature), Map.of());
  }

  /** This kernel for calls of one signature, for which the source is written once. */
  private static final class Planned extends CudaKernel {
    private final long count;
    private final String text;
    private final List<byte[]> walks = new ArrayList<>();

    Planned(KernelLibrary library, KernelSignature signature) {
      super(library);
      Shape shape = signature.output(0).shape();
      CudaPointwiseSource source = CudaPointwiseSource.of(signature);
      this.count = shape.elementCount();
      this.text = source.text().orElseThrow(() -> new IllegalArgumentException("a step is not known: program=" + source
        .program()));
      for (List<Integer> walk : source.walks()) {
        Shape[] shapes = walk.stream().map(i -> signature.input(i).shape()).toArray(Shape[]::new);
        walks.add(BroadcastWalk.of(shape, shapes).bytes());
      }
    }

    @Override
    public Runnable prepare(KernelCall call) {
      if (count == 0) {
        return () -> {};
      }
      Launch.Builder launch = Launch.of(call, library.generated(text, CudaPointwiseSource.FUNCTION));
      for (int i = 0; i < call.inputCount(); i++) {
        launch.input(i);
      }
      for (int i = 0; i < call.outputCount(); i++) {
        launch.output(i);
      }
      launch.value(count);
      walks.forEach(launch::structure);
      return launch.overElements(Math.ceilDiv(count, TOGETHER));
    }
  }
}
