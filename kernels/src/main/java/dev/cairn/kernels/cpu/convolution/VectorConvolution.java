package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.product.TiledProduct;
import dev.cairn.kernels.cpu.vector.RegisterTile;
import dev.cairn.kernels.tensor.Shape;

/**
 * {@code Conv(x, w, bias?)} for {@code float32} signals and images. Where few output channels read each input
 * channel, which no others read, it is computed directly, else as a product of matrices over panels of the image
 * (im2col; K. Chellapilla, S. Puri, P. Simard, 2006), packed piece by piece. Sums are in {@code float32} with fused
 * multiply-adds.
 */
public final class VectorConvolution implements Kernel {
  /** {@code Conv}. */
  public static final Kernel CONV = new VectorConvolution();

  private VectorConvolution() {}

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape input = signature.input(0).shape();
    return ImageWindow.fits(SlidingWindow.ofWeights(signature.attributes(), input, signature.input(1).shape()), input);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    Shape input = signature.input(0).shape();
    Shape weights = signature.input(1).shape();
    ConvolutionGroups groups = ConvolutionGroups.of(signature.attributes(), input, weights);
    ImageWindow window = window(signature.attributes(), input, weights);
    return isDirect(groups)
      ? DepthwiseConvolution.workspaceBytes(window)
      : TiledProduct.workspaceBytes(ConvolutionOperands.size(groups, window));
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    Shape input = signature.input(0).shape();
    Shape weights = signature.input(1).shape();
    return isDirect(ConvolutionGroups.of(signature.attributes(), input, weights))
      ? DepthwiseConvolution.workspaceBytesUpTo(window(signature.attributes(), input, weights))
      : workspaceBytes(signature);
  }

  @Override
  public void run(KernelCall call) {
    Shape input = call.input(0).shape();
    Shape weights = call.input(1).shape();
    ConvolutionGroups groups = ConvolutionGroups.of(call.attributes(), input, weights);
    ImageWindow window = window(call.attributes(), input, weights);
    if (isDirect(groups)) {
      DepthwiseConvolution.run(call, groups, window);
    } else {
      TiledProduct.run(call, ConvolutionOperands.size(groups, window), new ConvolutionOperands(call, groups, window));
    }
  }

  /** Whether so few output channels read an input channel that unrolling it would take longer than the products. */
  private static boolean isDirect(ConvolutionGroups groups) {
    return groups.inputsPerGroup() == 1 && groups.outputsPerGroup() < RegisterTile.ROWS;
  }

  private static ImageWindow window(Attributes attributes, Shape input, Shape weights) {
    return ImageWindow.of(SlidingWindow.ofWeights(attributes, input, weights), input);
  }
}
