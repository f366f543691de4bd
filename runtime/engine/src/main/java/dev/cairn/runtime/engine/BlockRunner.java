package dev.cairn.runtime.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does what a block whose turn has come is about, each kind of work in its way, and says when it ends. Thread-safe. */
final class BlockRunner implements AsyncBlock.Ends {
  private final OperationRunner runner;
  private final DeviceStreams streams;
  private final StreamRunner streamRunner;
  private final OperationDepth inside;
  private final Consumer<OperationBlock> end;
  private final AtomicInteger pushes = new AtomicInteger();
  private final Set<AsyncBlock> startedAsync = ConcurrentHashMap.newKeySet();

  /** @param end told of each block's end, once */
  BlockRunner(OperationRunner runner, DeviceStreams streams, StreamRunner streamRunner, OperationDepth inside,
    Consumer<OperationBlock> end) {
    this.runner = runner;
    this.streams = streams;
    this.streamRunner = streamRunner;
    this.inside = inside;
    this.end = end;
  }

  OperationBlock newBlock(Operation operation) {
    int number = pushes.getAndIncrement();
    return operation.work() instanceof AsyncBody
      ? new AsyncBlock(operation, number, this)
      : new OperationBlock(operation, number);
  }

  /** Asynchronous work that was started and has not told its end. */
  Set<AsyncBlock> startedAsync() {
    return Set.copyOf(startedAsync);
  }

  void run(OperationBlock block) {
    Operation operation = block.operation();
    Runnable work = operation.work();
    if (block instanceof AsyncBlock async && work instanceof AsyncBody body) {
      startAsync(async, body);
      return;
    }
    try {
      runToItsEnd(operation, work);
    } catch (RuntimeException | Error e) {
      // A device refused: a stream could not be made, or asked how far it is.
      runner.failed(operation, e);
    } finally {
      end.accept(block);
    }
  }

  /** There is no thread for it, and this is none of its group: a delete runs all the same, anything else has failed. */
  void refuse(OperationBlock block, Throwable cause) {
    inside.run(() -> {
      if (block.operation().property() == FunctionProperty.DELETE) {
        run(block);
      } else {
        runner.failed(block.operation(), cause);
        end.accept(block);
      }
    });
  }

  private void runToItsEnd(Operation operation, Runnable work) {
    if (work instanceof StreamBody body && Thread.currentThread() instanceof Worker worker) {
      streamRunner.give(operation, body, streams.of(worker, operation.place()));
    } else {
      if (!(work instanceof DeleteBody(Variable _, StreamedDelete _))) {
        streams.awaitHost(operation.footprint());
      }
      if (work instanceof BulkBody bulk) {
        bulk.run();
      } else {
        runner.run(operation, work);
      }
    }
  }

  private void startAsync(AsyncBlock block, AsyncBody body) {
    block.start();
    startedAsync.add(block);
    boolean started = runner.start(block.operation(), body, block, cause -> {
      if (block.tryEnd()) {
        ended(block, cause);
      } else {
        runner.writeDown(block.operation(), cause);
      }
    });
    if (!started && block.tryEnd()) {
      startedAsync.remove(block);
      end.accept(block);
    }
  }

  @Override
  public void touches(AsyncBlock block) {
    streams.awaitHost(block.operation().footprint());
  }

  @Override
  public void ended(AsyncBlock block, @Nullable Throwable cause) {
    Throwable why = cause;
    try {
      // Work that touches nothing may leave it unsaid that it starts.
      streams.awaitHost(block.operation().footprint());
    } catch (RuntimeException | Error e) {
      why = cause == null ? e : cause;
    }
    startedAsync.remove(block);
    runner.ended(block.operation(), why);
    end.accept(block);
  }
}
