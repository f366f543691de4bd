package dev.cairn.kernels.cuda.quantized;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.convolution.WindowGeometry;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.Shape;

/**
 * {@code ConvInteger} and {@code QLinearConv} over up to three spatial axes, as products of the weights and the
 * unrolled image. Four terms are added at once ({@code dp4a}).
 */
public final class CudaIntegerConvolution extends CudaKernel {
  private static final int SIDE = 16;

  private final QuantizedInputs inputs;

  public CudaIntegerConvolution(KernelLibrary library, QuantizedInputs inputs) {
    super(library);
    this.inputs = inputs;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape image = signature.input(inputs.left()).shape();
    long outputs = signature.input(inputs.right()).shape().extent(0);
    return image.rank() >= 3 && image.rank() <= 2 + WindowGeometry.MOST_SPATIAL
      && fits(signature, inputs.leftZero(), 1) && fits(signature, inputs.leftScale(), 1)
      && fits(signature, inputs.scale(), 1) && fits(signature, inputs.zero(), 1)
      && fits(signature, inputs.rightZero(), outputs) && fits(signature, inputs.rightScale(), outputs)
      && isSingle(signature, inputs.leftScale()) && isSingle(signature, inputs.rightScale())
      && isSingle(signature, inputs.scale());
  }

  private static boolean fits(KernelSignature signature, int input, long most) {
    return CudaIntegerMatmul.fits(signature, input, most);
  }

  private static boolean isSingle(KernelSignature signature, int input) {
    return CudaIntegerMatmul.isSingle(signature, input);
  }

  @Override
  public Runnable prepare(KernelCall call) {
    Shape image = call.input(inputs.left()).shape();
    Shape weights = call.input(inputs.right()).shape();
    ConvolutionGroups groups = ConvolutionGroups.of(call.attributes(), image, weights);
    SlidingWindow window = SlidingWindow.ofWeights(call.attributes(), image, weights);
    Launch.Builder launch = Launch.of(call, library.function("quantize.cu", CudaElementTypes.integerProducts(call.input(
      inputs.left()).dtype(), call.input(inputs.right()).dtype()), "integer_convolution"));
    for (int input : new int[] {inputs.left(), inputs.right(), inputs.leftZero(), inputs.rightZero(),
      inputs.leftScale(), inputs.rightScale(), inputs.scale(), inputs.zero(), inputs.bias()}) {
      launch.input(input);
    }
    Shape result = call.output(0).shape();
    long columns = result.extent(0) * result.elementCount(2, result.rank());
    long tiles = Math.ceilDiv(columns, SIDE) * Math.ceilDiv((long) groups.outputsPerGroup(), SIDE) * groups.groups();
    return launch.output(0)
      .value(CudaIntegerMatmul.result(inputs, call.output(0).dtype()))
      .structure(Structures.ofLongs(groups.batch(), groups.groups(), groups.inputsPerGroup(), groups.outputsPerGroup(),
        CudaIntegerMatmul.count(call, inputs.rightZero()), CudaIntegerMatmul.count(call, inputs.rightScale())))
      .structure(WindowGeometry.bytes(window, image))
      .with(Grids.ofBlocks(tiles, SIDE * SIDE));
  }
}
