package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.BulkFusion;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamedDelete;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.stream.StreamUses;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations in dependency order: after everything pushed before that writes what they read, or touches what they
 * write. Any thread may call; pushes of several threads take effect in some one order. What an operation's failure
 * means is the same on every engine, see the package. A wait inside an operation fails at once, as it could never end.
 */
public interface Engine extends AutoCloseable {
  /** An engine as the options say; it runs when this returns. */
  static Engine open(EngineOptions options) {
    return switch (options.kind()) {
      case NAIVE -> new NaiveEngine(options);
      case PER_DEVICE, POOLED -> new ThreadedEngine(options, new DeviceRouting(options));
    };
  }

  /** A variable that is readable at once, at version 0. */
  Variable newVariable(String name);

  /**
   * Hands an operation over; it may run at once, later, or on another thread.
   *
   * @throws IllegalArgumentException when there is no such device, or one of the variables is another engine's
   * @throws IllegalStateException when the engine is stopped, or one of the variables is deleted
   */
  void push(Operation operation);

  /**
   * Runs the work when everything pushed so far that touches the variable has ended, whatever became of it and also
   * after shutdown. Later pushes are refused. Operations that threads hold back for a bulk count as pushed so far,
   * unless the engine is closed first.
   *
   * @throws IllegalArgumentException when it is another engine's
   * @throws IllegalStateException when it was deleted before
   */
  void deleteVariable(Variable variable, ExecutionPlace place, Runnable work);

  /** Like {@link #deleteVariable(Variable, ExecutionPlace, Runnable)}, on the first processor group. */
  default void deleteVariable(Variable variable, Runnable work) {
    deleteVariable(variable, ExecutionPlace.CPU, work);
  }

  /**
   * Like {@link #deleteVariable(Variable, Runnable)}, but waits for no stream: the work runs when everything pushed so
   * far that touches the variable has ended, or was given to a stream.
   *
   * @param work is given the uses of these streams
   */
  default void deleteBehindStreams(Variable variable, Consumer<StreamUses> work) {
    deleteBehindStreams(variable, ExecutionPlace.CPU, work);
  }

  /** Like {@link #deleteBehindStreams(Variable, Consumer)}, in the order of the operations of a place. */
  default void deleteBehindStreams(Variable variable, ExecutionPlace place, Consumer<StreamUses> work) {
    deleteVariable(variable, place, new StreamedDelete(variable, work));
  }

  /**
   * Runs the work when all pushes of the operation so far have ended, whatever became of them, of the variables and of
   * the engine. An operation that touches nothing has no place in any order: its delete waits for nothing.
   */
  void deleteOperation(Operation operation, Runnable work);

  /**
   * Returns when all operations pushed so far that write the variable have ended. Readers are not waited for.
   *
   * @throws OperationFailed when its value was never computed: each time anew, until it is overwritten
   * @throws IllegalArgumentException when it is another engine's
   * @throws IllegalStateException inside an operation
   */
  void waitForVariable(Variable variable);

  /** Like {@link #waitForVariable(Variable)}. @throws TimeoutException when that takes longer */
  void waitForVariable(Variable variable, Duration patience) throws TimeoutException;

  /**
   * Returns when all operations pushed so far have ended.
   *
   * @throws OperationFailed the first failure that no wait has thrown so far, with the others as suppressed ones
   * @throws IllegalStateException inside an operation
   */
  void waitForAll();

  /** Like {@link #waitForAll()}. @throws TimeoutException when that takes longer; names what has not ended */
  void waitForAll(Duration patience) throws TimeoutException;

  /** Throws as {@link #waitForVariable(Variable)} does, but waits for nothing. */
  void throwIfFailed(Variable variable);

  /** How many operations have been pushed and have not ended, more or less; those held back do not count. */
  long pending();

  /** Whether this thread runs an operation now, so that its waits are refused. */
  boolean isInsideOperation();

  /**
   * From now on puts this thread's next pushes together, so many at a time, and runs them as one operation that touches
   * what they touch together; 0 or 1 for none. Only normal operations of priority 0 and one place are put together;
   * any other push, a wait, and a new size first hand over what is held back.
   *
   * @return the size before
   */
  default int bulkSize(int operations) {
    return bulkSize(operations, null);
  }

  /**
   * As {@link #bulkSize(int)}. Of the operations put together, some may be fused: they run as one while all their
   * values are there, and one by one if not. So may operations for one stream. While there are such operations, other
   * pushes that touch no variable of theirs hand over nothing, nor does a delete of a variable that only these compute;
   * it comes after them.
   *
   * @param fusion finds these operations; null for none
   */
  int bulkSize(int operations, @Nullable BulkFusion fusion);

  /** Like {@link #bulkSize}, until the scope is closed. */
  default Bulk bulk(int operations) {
    int before = bulkSize(operations);
    return () -> bulkSize(before);
  }

  /** A stretch of bulked pushes of one thread; closing hands over what is held back. */
  @FunctionalInterface
  interface Bulk extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Announces the end: what has not begun to run is skipped, its values count as never computed, and only deletes run.
   * Waits still end. {@link #stop} and {@link #start} make the engine run again.
   */
  void shutdown();

  /** Waits for all operations, then ends all threads; failures are kept for the next wait. Does nothing inside one. */
  void stop();

  /**
   * Makes a stopped engine run again, and ends a shutdown; otherwise does nothing where it runs. Never waits for a stop
   * that is under way: it takes effect before it.
   *
   * @throws IllegalStateException when it is closed
   */
  void start();

  /** Stops for good. */
  @Override
  void close();
}
