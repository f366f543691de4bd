package dev.cairn.kernels.cuda.normalization;

import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.attribute.ResponseWindow;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.Shape;

/**
 * {@code InstanceNormalization}, {@code BatchNormalization} in inference mode, and {@code LRN} with its gradient:
 * operators on the planes and channels of a tensor {@code NxCx...}. In a tensor of rank 1, each element is an image
 * with one channel.
 */
public final class CudaPlanes {
  private CudaPlanes() {}

  private record Extents(long planes, long channels, long elements) {
    static Extents of(Shape shape) {
      long channels = shape.rank() < 2 ? 1 : shape.extent(1);
      long elements = shape.rank() < 2 ? 1 : shape.elementCount(2, shape.rank());
      return new Extents((shape.rank() == 0 ? 1 : shape.extent(0)) * channels, channels, elements);
    }
  }

  /** {@code (x, scale, bias)}: normalises each plane by its mean and deviation. Each block computes one plane. */
  public static CudaKernel instanceNormalization(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public Runnable prepare(KernelCall call) {
        Extents of = Extents.of(call.input(0).shape());
        return Launch.of(call, library.function("normalization.cu", call.input(0).dtype(), "instance_normalization"))
          .input(0)
          .input(1)
          .input(2)
          .output(0)
          .value(of.planes)
          .value(of.channels)
          .value(of.elements)
          .value(NormalizedGroups.ofChannels(call.attributes(), of.channels).epsilon())
          .with(Grids.ofLines(of.planes, of.elements));
      }
    };
  }

  /** {@code (x, scale, bias, mean, variance)}: applies one factor and one offset to each channel. */
  public static CudaKernel batchNormalization(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public boolean accepts(KernelSignature signature) {
        return !NormalizedChannels.of(signature.attributes()).isTraining();
      }

      @Override
      public Runnable prepare(KernelCall call) {
        Extents of = Extents.of(call.input(0).shape());
        Launch.Builder launch = Launch.of(call, library.function("normalization.cu", call.input(0).dtype(),
          "batch_normalization"));
        for (int i = 0; i < 5; i++) {
          launch.input(i);
        }
        long count = call.input(0).elementCount();
        return launch.output(0)
          .value(count)
          .value(of.channels)
          .value(of.elements)
          .value(NormalizedChannels.of(call.attributes()).epsilon())
          .overElements(count);
      }
    };
  }

  /** {@code (x)}: normalises each element by the squares in neighbouring channels. */
  public static CudaKernel localResponseNormalization(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public Runnable prepare(KernelCall call) {
        return localResponse(call, Launch.of(call, library.function("normalization.cu", call.input(0).dtype(),
          "local_response_normalization")).input(0));
      }
    };
  }

  /** {@code (x, h)}: the gradient of {@link #localResponseNormalization}. */
  public static CudaKernel localResponseGradient(KernelLibrary library) {
    return new CudaKernel(library) {
      @Override
      public Runnable prepare(KernelCall call) {
        return localResponse(call, Launch.of(call, library.function("normalization.cu", call.input(0).dtype(),
          "local_response_gradient")).input(0).input(1));
      }
    };
  }

  private static Launch localResponse(KernelCall call, Launch.Builder launch) {
    Extents of = Extents.of(call.input(0).shape());
    long count = call.input(0).elementCount();
    ResponseWindow window = ResponseWindow.of(call.attributes());
    return launch.output(0)
      .value(count)
      .value(of.channels)
      .value(of.elements)
      .value(window.size())
      .value(window.alpha())
      .value(window.beta())
      .value(window.bias())
      .overElements(count);
  }
}
