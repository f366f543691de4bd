package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.cuda.product.CudaProduct;
import dev.cairn.kernels.cuda.product.Epilogue;
import dev.cairn.kernels.cuda.product.TileFinish;
import dev.cairn.kernels.cuda.product.TilePlan;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * {@code Conv(x, w, bias?)} over up to three spatial axes. Groups with many output channels are computed as tiled
 * products of the weights and the unrolled input. For groups with few output channels, as in depthwise convolutions,
 * each thread computes one result. Sums of half types are {@code float}.
 */
public final class CudaConvolution extends CudaProduct {
  public static final String SOURCE = "convolution.cu";
  /** Groups with at most this many output channels would leave tiles nearly empty. */
  private static final int FEW_OUTPUTS = 8;

  public CudaConvolution(KernelLibrary library) {
    super(library);
  }

  /** Within an image, and over the results of one channel in all images, the kernel counts with 32 bits. */
  @Override
  public boolean accepts(KernelSignature signature) {
    Shape input = signature.input(0).shape();
    Shape weights = signature.input(1).shape();
    Shape output = signature.output(0).shape();
    if (input.rank() > 2 + WindowGeometry.MOST_SPATIAL) {
      return false;
    }
    if (input.rank() < 3 || output.rank() != input.rank() || weights.rank() != input.rank()) {
      return true;
    }
    SlidingWindow window = SlidingWindow.ofWeights(signature.attributes(), input, weights);
    double reached = weights.extent(1);
    for (int axis = 0; axis < window.rank(); axis++) {
      reached *= input.extent(axis + 2) + (double) window.kernel(axis) * window.dilation(axis);
    }
    double results = (double) output.extent(0) * output.elementCount(2, output.rank());
    return reached <= Integer.MAX_VALUE && results <= Integer.MAX_VALUE
      && (double) weights.elementCount(1, weights.rank()) <= Integer.MAX_VALUE;
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return tiles(signature).map(it -> it.workspaceBytes(signature.output(0).dtype())).orElse(0L);
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    int multiprocessors = library.device().properties().multiprocessors();
    return tiles(signature).map(it -> it.workspaceBytesUpTo(signature.output(0).dtype(), multiprocessors)).orElse(0L);
  }

  private Optional<TilePlan> tiles(KernelSignature signature) {
    Shape weights = signature.input(1).shape();
    ConvolutionGroups groups = ConvolutionGroups.of(signature.attributes(), signature.input(0).shape(), weights);
    TensorType output = signature.output(0);
    return isDirect(groups) ? Optional.empty() : Optional.of(plan(groups, weights, output.shape(), output.dtype()));
  }

  private static boolean isDirect(ConvolutionGroups groups) {
    return groups.outputsPerGroup() <= FEW_OUTPUTS;
  }

  private TilePlan plan(ConvolutionGroups groups, Shape weights, Shape output, DType dtype) {
    int results = Math.toIntExact(output.extent(0) * output.elementCount(2, output.rank()));
    int depth = Math.toIntExact(weights.elementCount(1, weights.rank()));
    return TilePlan.of(groups.groups(), groups.outputsPerGroup(), results, depth, dtype,
      library.device().properties().multiprocessors());
  }

  @Override
  public Runnable prepare(KernelCall call, Attributes attributes, Epilogue results) {
    Shape input = call.input(0).shape();
    Shape weights = call.input(1).shape();
    ConvolutionGroups groups = ConvolutionGroups.of(attributes, input, weights);
    SlidingWindow window = SlidingWindow.ofWeights(attributes, input, weights);
    byte[] geometry = WindowGeometry.bytes(window, input);
    byte[] channels = Structures.ofInts(groups.batch(), groups.groups(), groups.inputsPerGroup(),
      groups.outputsPerGroup());
    return isDirect(groups)
      ? direct(call, results, channels, geometry)
      : tiled(call, results, plan(groups, weights, call.output(0).shape(), call.input(0).dtype()), channels, geometry);
  }

  private static Launch.Builder launch(KernelCall call, Epilogue results, String name) {
    return results.added(Launch.of(call, results.function(SOURCE, call.input(0).dtype(), name))
      .input(0)
      .input(1)
      .input(2));
  }

  private static Runnable direct(KernelCall call, Epilogue results, byte[] channels, byte[] geometry) {
    TensorView y = call.output(0);
    return launch(call, results, "convolve_directly")
      .value(y.elementCount())
      .structure(channels)
      .structure(geometry)
      .overElements(y.elementCount());
  }

  private static Runnable tiled(KernelCall call, Epilogue results, TilePlan plan, byte[] channels,
    byte[] geometry) {
    Launch tiles = launch(call, results, "convolve" + plan.byTiles())
      .value(plan.isParted() ? call.workspace().address() : 0)
      .structure(plan.bytes())
      .structure(channels)
      .structure(geometry)
      .with(plan.shape());
    if (!plan.isParted()) {
      return tiles;
    }
    return Launch.inOrder(List.of(tiles, TileFinish.plain(call).joined(SOURCE, results, call, plan, biasShape(call))));
  }

  /** The shape of the bias that broadcasts to the results. */
  static Shape biasShape(KernelCall call) {
    if (!call.has(2)) {
      return Shape.SCALAR;
    }
    long[] extents = new long[call.output(0).shape().rank() - 1];
    Arrays.fill(extents, 1);
    extents[0] = call.output(0).shape().extent(1);
    return Shape.of(extents);
  }
}
