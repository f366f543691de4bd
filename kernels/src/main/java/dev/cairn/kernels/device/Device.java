package dev.cairn.kernels.device;

/** Something that runs kernels. Whoever makes a device closes it, after all work on its streams has ended. */
public interface Device extends AutoCloseable {
  DeviceId id();

  /** What a person calls it: the processor's or card's own name, threads, memory. */
  String description();

  /** The stream on which work runs unless another is asked for. */
  Stream defaultStream();

  @Override
  void close();
}
