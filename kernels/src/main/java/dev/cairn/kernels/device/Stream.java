package dev.cairn.kernels.device;

/** Runs work in the order in which it was given. */
public interface Stream {
  Device device();

  /** Returns when all work given so far has ended. */
  void synchronize();
}
