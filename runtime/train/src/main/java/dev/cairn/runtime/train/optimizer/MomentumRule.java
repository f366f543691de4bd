package dev.cairn.runtime.train.optimizer;

/** The system whose momentum an optimizer computes. The rules differ when the learning rate changes. */
public enum MomentumRule {
  /** The velocity is a sum of gradients; the rate scales it when it is applied. This is PyTorch's rule. */
  PYTORCH,
  /** The velocity is a sum of steps, each scaled by the rate of its own update. */
  MXNET
}
