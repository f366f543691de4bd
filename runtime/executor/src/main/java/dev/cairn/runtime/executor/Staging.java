package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.trace.RunObserver;

/**
 * How a run's inputs reach the kernels' memory, and its outputs the caller's. Some copies are the same in every run and
 * may be recorded with it; those whose addresses are the caller's come before and after a recording.
 */
interface Staging {
  /** Kernels read the caller's inputs where they lie, and write outputs where the caller reads them. */
  Staging NONE = Direct.INSTANCE;

  /** Whether anything is copied: then the first stream begins a run and ends it. */
  boolean isNeeded();

  /** Puts the copies of inputs that differ from run to run at the end of the stream: before all else. */
  void enqueueInputs(Stream stream);

  /** Puts the copies of inputs that are the same in every run at the end of the stream. */
  void enqueueUploads(Stream stream);

  /** Puts the copies of outputs that are the same in every run at the end of the stream. */
  void enqueueDownloads(Stream stream);

  /** Puts the copies of outputs that differ from run to run at the end of the stream: after all else. */
  void enqueueResults(Stream stream, RunObserver observer);

  /** Off. */
  enum Direct implements Staging {
    INSTANCE;

    @Override
    public boolean isNeeded() {
      return false;
    }

    @Override
    public void enqueueInputs(Stream stream) {}

    @Override
    public void enqueueUploads(Stream stream) {}

    @Override
    public void enqueueDownloads(Stream stream) {}

    @Override
    public void enqueueResults(Stream stream, RunObserver observer) {}
  }
}
