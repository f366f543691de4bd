package dev.cairn.runtime.executor.replay;

import dev.cairn.kernels.device.Stream;

/** Records work instead of running it, where a device can. Thread-safe. */
public interface RunRecorder {
  /** For devices that cannot record, and for callers that want each step launched. */
  RunRecorder NONE = Nothing.INSTANCE;

  /** Whether anything can be recorded at all. */
  boolean isAble();

  /**
   * Records what {@code work} gives to the stream, and to others that wait for it and that it waits for in the end.
   *
   * @throws RuntimeException when that cannot be recorded; nothing was run then, and the streams are as before
   */
  Recording record(Stream stream, Runnable work);

  /** Off. */
  enum Nothing implements RunRecorder {
    INSTANCE;

    @Override
    public boolean isAble() {
      return false;
    }

    @Override
    public Recording record(Stream stream, Runnable work) {
      throw new UnsupportedOperationException("nothing can be recorded: device=" + stream.device().id());
    }
  }
}
