package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmCall;
import dev.cairn.kernels.cuda.blas.GemmMatrix;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.product.CublasKernel;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;

/**
 * {@code Conv(x, w, bias?)} whose results each read only the inputs at their own position: cuBLAS multiplies the
 * weights with each image. {@link CudaConvolution} computes all other convolutions.
 */
public final class CublasConvolution extends CublasKernel {
  public CublasConvolution(KernelLibrary library, Cublas cublas, GemmPrecision ofFloats) {
    super(library, cublas, ofFloats);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape input = signature.input(0).shape();
    Shape weights = signature.input(1).shape();
    if (input.rank() < 3 || weights.rank() != input.rank() || input.elementCount() == 0
      || weights.elementCount() != weights.elementCount(0, 2) || weights.elementCount() == 0
      || ConvolutionGroups.of(signature.attributes(), input, weights).groups() != 1
      || input.elementCount(2, input.rank()) > Integer.MAX_VALUE) {
      return false;
    }
    SlidingWindow window = SlidingWindow.ofWeights(signature.attributes(), input, weights);
    return window.axes().stream().allMatch(axis -> axis.stride() == 1 && axis.padBegin() == 0 && axis.padEnd() == 0);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    Shape input = call.input(0).shape();
    Shape weights = call.input(1).shape();
    int outputs = Math.toIntExact(weights.extent(0));
    int inputs = Math.toIntExact(weights.extent(1));
    int places = Math.toIntExact(input.elementCount(2, input.rank()));
    var image = new GemmMatrix(call.input(0).segment().address(), places, (long) inputs * places, false);
    var result = new GemmMatrix(call.output(0).segment().address(), places, (long) outputs * places, false);
    Runnable multiplied = product(call, new GemmCall(precision(call.output(0).dtype()), outputs, places, inputs,
      GemmMatrix.of(call.input(1).segment().address(), inputs), image, result, 1, call.has(2) ? 1 : 0,
      Math.toIntExact(input.extent(0))), 1, 0);
    return call.has(2)
      ? Launch.inOrder(List.of(stretched(call, CudaConvolution.biasShape(call)), multiplied))
      : multiplied;
  }
}
