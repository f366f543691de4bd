package dev.cairn.runtime.executor.replay;

/** A run that was recorded, ready to be repeated. For one thread; its recorder closes it. */
public interface Recording extends AutoCloseable {
  /** Puts the whole run at the end of the stream that it was recorded from, and returns. */
  void launch();

  /** Gives the recording back; none of its launches may be under way. */
  @Override
  void close();
}
