package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Stream;

/** How a run's inputs reach the kernels' memory, and its outputs the caller's. */
interface Staging {
  /** Kernels read the caller's inputs where they lie, and outputs are read where kernels wrote them. */
  Staging NONE = Direct.INSTANCE;

  /** Whether anything is copied: then the first stream begins a run and ends it. */
  boolean isNeeded();

  /** Puts the copies of the inputs at the end of the stream. */
  void enqueueUploads(Stream stream);

  /** Puts the copies of the outputs at the end of the stream. */
  void enqueueDownloads(Stream stream);

  /** Off. */
  enum Direct implements Staging {
    INSTANCE;

    @Override
    public boolean isNeeded() {
      return false;
    }

    @Override
    public void enqueueUploads(Stream stream) {}

    @Override
    public void enqueueDownloads(Stream stream) {}
  }
}
