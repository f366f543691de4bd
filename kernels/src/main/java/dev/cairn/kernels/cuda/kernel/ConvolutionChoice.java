package dev.cairn.kernels.cuda.kernel;

/** How the kernel of a convolution is chosen where cuDNN is installed. */
public enum ConvolutionChoice {
  /** Whichever is fastest on this device, of all that there are. */
  MEASURED,
  /** cuDNN, by the first algorithm that it advises and that works; nothing is timed. */
  CUDNN
}
