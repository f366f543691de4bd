package dev.cairn.runtime.engine.queue;

/** Through which asynchronous work tells its engine how far it is. Every method may be called on any thread. */
public interface Completion {
  /**
   * To be called before the work touches what its variables stand for. Returns when earlier work on other streams
   * allows that; at once on engines that start nothing before it.
   *
   * @throws IllegalStateException when the work has ended
   */
  void started();

  /**
   * The work has ended well.
   *
   * @throws IllegalStateException when it had ended before; that changes nothing
   */
  void complete();

  /**
   * The work has failed: what the operation writes counts as not computed.
   *
   * @throws IllegalStateException when it had ended before; that changes nothing
   */
  void fail(Throwable cause);
}
