package dev.cairn.runtime.train.optimizer;

/** Whose momentum an optimizer computes. They differ when the learning rate changes. */
public enum MomentumRule {
  /** The velocity is a sum of gradients; the rate scales it when it is applied. PyTorch's. */
  PYTORCH,
  /** The velocity is a sum of steps, each scaled by the rate of its own update. */
  MXNET
}
