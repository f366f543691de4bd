package dev.cairn.runtime.train.optimizer;

/** Where an optimizer adds ε, which keeps it from dividing by zero. */
public enum EpsilonRule {
  /** ε is added to the root, after bias correction. PyTorch's. */
  PYTORCH,
  /** Before bias correction, or under the root, as the optimizer of MXNet 1.9 does. */
  MXNET
}
