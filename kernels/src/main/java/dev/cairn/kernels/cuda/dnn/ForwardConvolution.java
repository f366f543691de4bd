package dev.cairn.kernels.cuda.dnn;

import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.dnn.CudnnCalls.Factors;
import dev.cairn.kernels.cuda.dnn.CudnnCalls.Operands;

/** One prepared convolution with its algorithm. Valid until its cuDNN is closed. Not thread-safe. */
public final class ForwardConvolution {
  private final Cudnn cudnn;
  private final ConvolutionDescriptors descriptors;
  private final ConvolutionAlgorithm algorithm;
  private final Factors factors;
  private final Operands operands = new Operands();

  ForwardConvolution(Cudnn cudnn, ConvolutionDescriptors descriptors, ConvolutionAlgorithm algorithm,
    Factors factors) {
    this.cudnn = cudnn;
    this.descriptors = descriptors;
    this.algorithm = algorithm;
    this.factors = factors;
  }

  ConvolutionDescriptors descriptors() {
    return descriptors;
  }

  ConvolutionAlgorithm algorithm() {
    return algorithm;
  }

  Factors factors() {
    return factors;
  }

  /** Sets the workspace on the device: at least as many bytes as the algorithm needs. */
  public ForwardConvolution withWorkspace(long address, long bytes) {
    long first = (address + Cudnn.WORKSPACE_ALIGNMENT - 1) & -Cudnn.WORKSPACE_ALIGNMENT;
    boolean isWanted = algorithm.workspaceBytes() > 0;
    operands.workspace = isWanted ? first : 0;
    operands.workspaceBytes = isWanted ? bytes - (first - address) : 0;
    return this;
  }

  /**
   * Adds the convolution to the stream and returns. It allocates nothing, so it can be captured.
   *
   * @param x the address of the input on the device
   * @param weights the address of the weights
   * @param y the address of the output
   * @throws CudnnFailure if cuDNN refuses the call
   */
  public void run(CudaStream stream, long x, long weights, long y) {
    operands.x = x;
    operands.weights = weights;
    operands.y = y;
    cudnn.enqueue(stream, this, operands);
  }
}
