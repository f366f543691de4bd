package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** Which threads run what. Thread-safe. */
interface Routing {
  /** Whether an operation that is ready when it is pushed runs on the pusher's thread. */
  boolean runsOnPusher(FunctionProperty property);

  /** The group for an operation; its threads hand every block to the runner. */
  WorkerGroup group(Operation operation, BlockRunner runner);

  /** That of normal work of the first processor group; null before it has had work. */
  @Nullable
  WorkerGroup host();

  /** Somebody waits for what has been offered: its threads must look at once. */
  void hurry();

  /** Ends all threads; the next block starts new ones. */
  void stop();
}
