package dev.cairn.kernels.onednn;

/** A call that is ready to run, again and again. For one thread at a time. */
interface Prepared extends Runnable, AutoCloseable {
  @Override
  void close();
}
