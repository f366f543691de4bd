package dev.cairn.kernels.cuda.convolution;

/** The way to choose the kernel of a convolution if cuDNN is installed. */
public enum ConvolutionChoice {
  /** The fastest of all kernels, by measurement on this device. */
  MEASURED,
  /** The first of cuDNN's recommended algorithms that works. Nothing is measured. */
  CUDNN
}
