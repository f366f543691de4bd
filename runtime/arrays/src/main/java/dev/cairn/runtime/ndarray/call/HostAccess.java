package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.ndarray.memory.ArrayEngine;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.ArrayStorage;
import dev.cairn.runtime.ndarray.storage.Hold;
import dev.cairn.runtime.ndarray.storage.Refusals;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets the calling thread read and write the bytes of a storage, as one operation in the engine's order: it
 * waits for earlier writes, and later operations wait until it is done. A body must not wait for arrays: that could be
 * for what comes after itself.
 */
public final class HostAccess {
  private final ArrayEngine runtime;
  private final Engine engine;
  private final DeviceCopies copies;

  HostAccess(ArrayEngine runtime, DeviceCopies copies) {
    this.runtime = runtime;
    this.engine = runtime.engine();
    this.copies = copies;
  }

  /** Lets a reader see the bytes; those of a GPU are copied first. */
  public <R> R read(ArrayRange range, Function<MemorySegment, R> reader) {
    if (range.storage().device().isHost()) {
      return read(range, "read", () -> reader.apply(range.view().segment().asReadOnly()));
    }
    try (Hold copy = copies.onHost(range)) {
      return read(copy, reader);
    }
  }

  /** A copy of the values on the Java heap. */
  public TensorView toHost(ArrayRange range) {
    return read(range, segment -> HeapTensor.copyOf(new TensorView(range.type(), segment)));
  }

  /** Lets a writer change the bytes. Those of a GPU are copied first, and back when the writer returns. */
  public void write(ArrayRange range, Consumer<MemorySegment> writer) {
    if (range.storage().device().isHost()) {
      write(range, "write", () -> writer.accept(range.view().segment()));
      return;
    }
    try (Hold copy = copies.onHost(range)) {
      try {
        write(copy, writer);
      } finally {
        // If the writer throws, the copy counts as never computed, and so does the array then.
        copies.push(copy, range);
      }
    }
  }

  /** Waits until all writes so far have ended. @throws OperationFailed when the value was never computed */
  public void await(ArrayStorage storage, String what) {
    storage.requireValues(what);
    runtime.requireOutside(what);
    try {
      engine.waitForVariable(storage.variable());
    } catch (OperationFailed e) {
      throw Refusals.failed(storage, e);
    } catch (IllegalStateException e) {
      throw runtime.refused(what, e);
    }
  }

  /** Waits for all operations so far; throws each failure that nothing has thrown before. */
  public void awaitAll() {
    runtime.requireOutside("waitAll");
    try {
      engine.waitForAll();
    } catch (IllegalStateException e) {
      throw runtime.refused("waitAll", e);
    }
  }

  private <R> R read(ArrayRange range, String what, Supplier<R> body) {
    await(range.storage(), what);
    return runtime.isNaive() ? runtime.inside(body) : inTurn(what, range, true, body);
  }

  /** What the body throws leaves the bytes half written: they count as never computed. */
  private void write(ArrayRange range, String what, Runnable body) {
    await(range.storage(), what);
    range.storage().countWrite();
    if (runtime.isNaive()) {
      writeAtOnce(range, what, body);
    } else {
      inTurn(what, range, false, () -> {
        body.run();
        return true;
      });
    }
  }

  private void writeAtOnce(ArrayRange range, String what, Runnable body) {
    try {
      engine.push(Operation.of(what, Footprint.writing(range.storage().variable()), body));
    } catch (IllegalStateException e) {
      throw Refusals.of(what, runtime, e, range);
    } catch (OperationFailed e) {
      switch (e.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw e;
      }
    }
  }

  private <R> R inTurn(String what, ArrayRange range, boolean isRead, Supplier<R> body) {
    // Written by the operation, so that it tells when the operation was skipped.
    Variable receipt = engine.newVariable(what);
    var turn = new CallerTurn(isRead);
    var touched = new Variable[] {receipt, range.storage().variable()};
    Operation operation = Operation.async(what, Footprint.of(touched, isRead ? 1 : 2), turn);
    boolean isPushed = false;
    try {
      engine.push(operation.with(FunctionProperty.ASYNC));
      isPushed = true;
    } catch (IllegalStateException e) {
      throw Refusals.of(what, runtime, e, range);
    } finally {
      if (!isPushed && !isRead) {
        range.storage().uncountWrite();
      }
    }
    return turn.run(() -> engine.throwIfFailed(receipt), () -> runtime.inside(body));
  }
}
