package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.convolution.ConvolutionOperands;
import dev.cairn.kernels.cpu.convolution.ImageWindow;
import dev.cairn.kernels.cpu.convolution.VectorConvolution;
import dev.cairn.kernels.cpu.product.TiledProduct;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Convolutions of 8-bit whole numbers, as those of floats whose sums are exact: of a block of the depth, or of one
 * channel where each output channel reads a single one. Padding is 0, as the zero point is.
 *
 * <pre> workspace: | float convolution | images as floats | weights as floats | sums | </pre>
 */
public final class VectorIntegerConvolution implements Kernel {
  private static final long ALIGNMENT = 64;
  private static final long GRAIN = 1 << 14;

  private final QuantizedInputs inputs;

  public VectorIntegerConvolution(QuantizedInputs inputs) {
    this.inputs = inputs;
  }

  /** The place at which the parts of the workspace start. */
  private record Places(long images, long weights, long sums, long end) {
    static Places of(KernelSignature floats) {
      long images = aligned(VectorConvolution.CONV.workspaceBytes(floats));
      long weights = images + aligned(floats.input(0).bytes());
      long sums = weights + aligned(floats.input(1).bytes());
      return new Places(images, weights, sums, sums + aligned(floats.output(0).bytes()));
    }

    private static long aligned(long bytes) {
      return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
    }
  }

  /** The same convolution of floats. */
  private KernelSignature floats(KernelSignature signature) {
    return KernelSignature.of(List.of(signature.input(inputs.left()).withDType(DType.FLOAT32), signature
      .input(inputs.right()).withDType(DType.FLOAT32)), List.of(
        signature.output(0).withDType(
          DType.FLOAT32)),
      signature.attributes());
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    KernelSignature floats = floats(signature);
    Shape weights = floats.input(1).shape();
    return ByteLanes.EXIST && weights.elementCount(2, weights.rank()) <= WholeOperands.EXACT_TERMS && weights
      .elementCount() > 0 && VectorConvolution.CONV.accepts(floats);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return Places.of(floats(signature)).end();
  }

  @Override
  public boolean servesSmallerCalls() {
    return false;
  }

  @Override
  public void run(KernelCall call) {
    KernelSignature floats = floats(KernelSignature.of(call));
    Places places = Places.of(floats);
    var numbers = new QuantizedNumbers(call, inputs);
    TensorView images = place(call, floats.input(0), places.images());
    TensorView weights = place(call, floats.input(1), places.weights());
    TensorView sums = place(call, floats.output(0), places.sums());
    widen(call, call.input(inputs.left()), 1, numbers::leftZero, images);
    widen(call, call.input(inputs.right()), weights.shape().extent(0), numbers::rightZero, weights);
    Attributes attributes = call.attributes();
    ConvolutionGroups groups = ConvolutionGroups.of(attributes, images.shape(), weights.shape());
    var inner = new KernelCall(new TensorView[] {images, weights}, new TensorView[] {sums}, attributes, call
      .workspace().asSlice(0, places.images()), call.stream());
    boolean areFloats = weights.elementCount() / groups.outputs() <= WholeOperands.EXACT_TERMS;
    if (areFloats) {
      VectorConvolution.CONV.run(inner);
    } else {
      ImageWindow window = ImageWindow.of(SlidingWindow.ofWeights(attributes, images.shape(), weights.shape()), images
        .shape());
      TiledProduct.run(inner, ConvolutionOperands.size(groups, window), new WholeOperands(new ConvolutionOperands(inner,
        groups, window), sums.segment()));
    }
    Shape result = sums.shape();
    long plane = result.elementCount(2, result.rank());
    if (inputs.scale() == QuantizedInputs.NONE && !areFloats) {
      call.output(0).segment().copyFrom(sums.segment());
    } else {
      IntegerFinish.ofChannels(call, inputs, new IntegerFinish.Sums(sums.segment(), areFloats, result.elementCount(0,
        2), Math.toIntExact(plane)), groups.outputs());
    }
  }

  private static TensorView place(KernelCall call, TensorType type, long start) {
    return new TensorView(type, call.workspace().asSlice(start, type.bytes()));
  }

  /** The zero point of a part. */
  @FunctionalInterface
  private interface Zero {
    int of(long part);
  }

  private static void widen(KernelCall call, TensorView from, long parts, Zero zeros, TensorView to) {
    long length = from.elementCount() / parts;
    MemorySegment target = to.segment();
    for (long part = 0; part < parts; part++) {
      long start = part * length;
      var meaning = ByteLanes.Meaning.of(from.dtype(), zeros.of(part), 1);
      CpuStream.of(call).parallel(length, GRAIN, (first, end) -> ByteLanes.widen(from.segment(), start + first, end
        - first, meaning, target, (start + first) * Float.BYTES));
    }
  }
}
