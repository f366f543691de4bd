package dev.cairn.kernels.cuda.signal;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code STFT(signal, step, window?, length?)}: a block computes the spectrum of a frame as sums of waves, so the work
 * grows with the square of a frame's length.
 */
public final class CudaFrames extends CudaKernel {
  /** The same number as in {@code signal.cu}. */
  private static final long MOST_BYTES = 8192;

  public CudaFrames(KernelLibrary library) {
    super(library);
  }

  @Override
  public boolean readsOnHost(int input) {
    return input == 1 || input == 3;
  }

  /** A frame has at least half as many results as elements, and at most as many. */
  @Override
  public boolean accepts(KernelSignature signature) {
    DType dtype = signature.input(0).dtype();
    long most = MOST_BYTES / (dtype == DType.FLOAT64 ? Double.BYTES : Float.BYTES);
    return signature.has(2)
      ? signature.input(2).shape().elementCount() <= most && signature.input(2).dtype() == dtype
      : signature.output(0).shape().extent(2) <= most / 2;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    TensorView x = call.input(0);
    Shape shape = call.output(0).shape();
    long length = call.has(2) ? call.input(2).elementCount() : call.input(3).longAt(0);
    long frames = shape.extent(0) * shape.extent(1);
    return Launch.of(call, library.function("signal.cu", x.dtype(), "frames"))
      .input(0)
      .input(2)
      .output(0)
      .value(frames)
      .value(shape.extent(1))
      .value(x.shape().extent(1))
      .value(call.input(1).longAt(0))
      .value(Math.toIntExact(length))
      .value(Math.toIntExact(shape.extent(2)))
      .value(x.shape().rank() < 3 ? 1 : Math.toIntExact(x.shape().extent(2)))
      .with(Grids.ofBlocks(frames, Grids.BLOCK_THREADS));
  }
}
