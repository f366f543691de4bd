package dev.cairn.kernels.device;

/** Something that runs kernels. Whoever makes a device closes it, after all work on its streams has ended. */
public interface Device extends AutoCloseable {
  DeviceId id();

  /** What a person calls it: the processor's or card's own name, threads, memory. */
  String description();

  /** The stream on which work runs unless another is asked for. On the CPU, any number of threads may share it. */
  Stream defaultStream();

  /**
   * Makes one more stream, which overlaps with the others. The caller closes it, or it is closed with the device.
   *
   * @param name for people: in traces and names of threads
   */
  Stream newStream(String name);

  @Override
  void close();
}
