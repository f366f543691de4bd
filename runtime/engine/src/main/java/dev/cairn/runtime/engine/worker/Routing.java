package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import org.jspecify.annotations.Nullable;

/** Which threads run what. Thread-safe. */
public interface Routing {
  /** Whether an operation that is ready when it is pushed runs on the pusher's thread. */
  boolean runsOnPusher(FunctionProperty property);

  /** The group for an operation; its threads hand every block to the taker. */
  WorkerGroup group(Operation operation, BlockTaker taker);

  /** The group for normal work of the first processor group; null before it has had work. */
  @Nullable
  WorkerGroup host();

  /** Tells the groups that a thread waits for offered work: their threads must look for work at once. */
  void hurry();

  /** Ends all threads; the next block starts new ones. */
  void stop();
}
