package dev.cairn.kernels.cuda.epilogue;

import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.elementwise.CudaPointwiseSource;
import dev.cairn.kernels.cuda.kernel.BroadcastWalk;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.product.Epilogue;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;

/**
 * An epilogue that applies a {@link PointwiseProgram}, in kernels that are generated for it.
 *
 * @param pointwise the program's signature; input 0 is the product
 */
record ProgramEpilogue(KernelLibrary library, KernelSignature pointwise) implements Epilogue {
  @Override
  public CudaFunction function(String source, DType dtype, String name) {
    String text = CudaEpilogueSource.of(pointwise, source).orElseThrow(() -> new IllegalArgumentException(
      "a step is not known: program=" + pointwise.attributes()));
    return library.generated(text, library.definitions(source, dtype), name);
  }

  @Override
  public Launch.Builder added(Launch.Builder launch) {
    for (int i = 1; i < pointwise.inputs().size(); i++) {
      launch.input(FusedProduct.input(i));
    }
    for (int i = 0; i < pointwise.outputs().size(); i++) {
      launch.output(i);
    }
    for (List<Integer> walk : CudaPointwiseSource.afterProduct(pointwise).walks()) {
      Shape[] shapes = walk.stream().map(i -> pointwise.input(i).shape()).toArray(Shape[]::new);
      launch.structure(BroadcastWalk.of(pointwise.output(0).shape(), shapes).bytes());
    }
    return launch;
  }
}
