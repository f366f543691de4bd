package dev.cairn.kernels.device;

/** A processor or GPU that runs kernels. The code that opens a device closes it, after all work on its streams. */
public interface Device extends AutoCloseable {
  DeviceId id();

  /** A description for users: the name of the processor or card, its threads, its memory. */
  String description();

  /** The stream on which work runs by default. On the CPU, any number of threads may share it. */
  Stream defaultStream();

  /**
   * Opens one more stream, whose work overlaps with that of other streams. Either the caller closes the stream, or
   * closing the device does.
   *
   * @param name the stream's name in traces and in names of threads
   */
  Stream newStream(String name);

  @Override
  void close();
}
