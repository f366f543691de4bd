package dev.cairn.kernels.cuda.dnn;

import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.dnn.CudnnCalls.Factors;
import dev.cairn.kernels.cuda.dnn.CudnnCalls.Operands;

/** One convolution by one algorithm, ready; lives as long as its cuDNN. For one thread at a time. */
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

  /** Gives it memory of the device to work in: at least as many bytes as the algorithm said. */
  public ForwardConvolution withWorkspace(long address, long bytes) {
    long first = (address + Cudnn.WORKSPACE_ALIGNMENT - 1) & -Cudnn.WORKSPACE_ALIGNMENT;
    boolean isWanted = algorithm.workspaceBytes() > 0;
    operands.workspace = isWanted ? first : 0;
    operands.workspaceBytes = isWanted ? bytes - (first - address) : 0;
    return this;
  }

  /**
   * Puts it at the end of the stream and returns; nothing is allocated, so it may be captured.
   *
   * @param x address of the input, on the device
   * @param weights address of the weights
   * @param y address of the output
   * @throws CudnnFailure when cuDNN refuses
   */
  public void run(CudaStream stream, long x, long weights, long y) {
    operands.x = x;
    operands.weights = weights;
    operands.y = y;
    cudnn.enqueue(stream, this, operands);
  }
}
