package dev.cairn.runtime.engine.stream;

import dev.cairn.kernels.device.Stream;

/** Work that is given to a stream of its device, in the order that the stream keeps. */
@FunctionalInterface
public interface StreamWork {
  /**
   * Does the work, or starts it on the stream, when everything that the operation's footprint asks for has gone before
   * it. Runs on the stream's own thread where it has one. What this throws fails the operation.
   *
   * @param stream on which it comes; not to be given other work from in here
   */
  void run(Stream stream);
}
