package dev.cairn.kernels.cuda.image;

import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.kernels.attribute.ResizeForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code Resize(x, roi?, scales?, sizes?)} of up to five axes, without antialiasing and cropping. The host reads scales
 * and sizes.
 */
public final class CudaResize extends CudaKernel {
  /** The axes of a structure of {@code image.cu}. */
  private static final int MOST_AXES = 5;
  private static final int FIELDS = 11;
  /** The roundings in the order of {@code image.cu}. */
  private static final List<String> ROUNDINGS = List.of("round_prefer_floor", "round_prefer_ceil", "floor", "ceil");
  private static final int NEAREST = 1;
  private static final int LINEAR = 2;
  private static final int CUBIC = 4;

  public CudaResize(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean readsOnHost(int input) {
    return input > 0;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    ResizeForm form = ResizeForm.of(signature.attributes());
    return signature.input(0).shape().rank() <= MOST_AXES && !form.smooths() && !form.crops();
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    ResizeForm form = ResizeForm.of(call.attributes());
    ResizeAxis[] axes = ResizeAxis.of(call.attributes(), x.shape(), null, optional(call, 2), optional(call, 3));
    ByteBuffer fields = ByteBuffer.allocate(MOST_AXES * FIELDS * Long.BYTES).order(ByteOrder.nativeOrder());
    for (int i = axes.length; i < MOST_AXES; i++) {
      put(fields, new ResizeAxis(1, 1, 1, 0, 1), form);
    }
    for (ResizeAxis axis : axes) {
      put(fields, axis, form);
    }
    DType dtype = x.dtype();
    double high = Math.scalb(1.0, dtype.bytes() * Byte.SIZE - (dtype.isUnsigned() ? 0 : 1)) - 1;
    long count = call.output(0).elementCount();
    return Launch.of(call, library.function("image.cu", dtype, "resize"))
      .input(0)
      .output(0)
      .value(count)
      .value(dtype.isUnsigned() ? 0 : -high - 1)
      .value(high)
      .structure(fields.array())
      .overElements(count);
  }

  private static @Nullable TensorView optional(KernelCall call, int input) {
    return call.has(input) ? call.input(input) : null;
  }

  private static void put(ByteBuffer fields, ResizeAxis axis, ResizeForm form) {
    String mode = form.mode();
    int taps = axis.isUntouched() ? NEAREST : mode.equals("cubic") ? CUBIC : mode.equals("linear") ? LINEAR : NEAREST;
    fields.putLong(axis.input()).putLong(axis.output()).putLong(taps).putLong(rounding(axis, form.rounding())).putLong(
      form.excludesOutside() ? 1 : 0);
    fields.putDouble(form.cubic());
    for (double part : axis.isUntouched() ? new double[] {0, 0, 1, 1, 0} : position(axis, form.coordinates())) {
      fields.putDouble(part);
    }
  }

  private static int rounding(ResizeAxis axis, String mode) {
    if (mode.equals(ResizeAxis.FLOOR_OR_CEIL)) {
      return ROUNDINGS.indexOf(axis.scale() < 1 ? "ceil" : "floor");
    }
    return ROUNDINGS.indexOf(mode);
  }

  /** {@link ResizeAxis#position} as {@code before + (index + add) * times / over - less}, with the same bits. */
  private static double[] position(ResizeAxis axis, String mode) {
    double extent = axis.input() * axis.scale();
    return switch (mode) {
      case "half_pixel" -> new double[] {0, 0.5, 1, axis.scale(), 0.5};
      case "pytorch_half_pixel" -> extent == 1
        ? new double[] {0, 0, 0, 1, 0.5}
        : new double[] {0, 0.5, 1, axis.scale(), 0.5};
      case "half_pixel_symmetric" -> new double[] {axis.input() / 2.0 * (1 - axis.output() / extent), 0.5, 1,
        axis.scale(), 0.5};
      case "asymmetric" -> new double[] {0, 0, 1, axis.scale(), 0};
      case "tf_half_pixel_for_nn" -> new double[] {0, 0.5, 1, axis.scale(), 0};
      case "align_corners" -> extent == 1
        ? new double[] {0, 0, 0, 1, 0}
        : new double[] {0, 0, axis.input() - 1.0, extent - 1, 0};
      default -> throw new IllegalArgumentException("no such mode: coordinate_transformation_mode=" + mode);
    };
  }
}
