package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets the calling thread read and write the bytes of a storage, as one operation in the engine's order: it
 * waits for earlier writes, and later operations wait until it is done. A body must not wait for arrays: it could wait
 * for an operation that comes after itself.
 */
final class HostAccess {
  private final Engine engine;
  private final boolean isNaive;
  /** Set while this thread is in a body; one of each runtime. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

  HostAccess(Engine engine, EngineOptions.Kind kind) {
    this.engine = engine;
    this.isNaive = kind == EngineOptions.Kind.NAIVE;
  }

  /** @throws IllegalStateException when this thread must not wait: in an operation, or in a body of this class */
  void requireOutside(String what) {
    if (isInside()) {
      throw new IllegalStateException("a wait inside an operation or access, which could never end: for=" + what);
    }
  }

  boolean isInside() {
    return inside.get() || engine.isInsideOperation();
  }

  /** Like {@link NDArray#read}. */
  <R> R read(NDArray array, Function<MemorySegment, R> reader) {
    array.requireOpen("read");
    ArrayRange range = array.range();
    if (!range.storage().device.isHost()) {
      try (NDArray copy = DeviceCopies.onHost(array)) {
        return read(copy, reader);
      }
    }
    try {
      return read(range, "read", () -> reader.apply(range.view().segment().asReadOnly()));
    } finally {
      Reference.reachabilityFence(array);
    }
  }

  /** Like {@link NDArray#write}. */
  void write(NDArray array, Consumer<MemorySegment> writer) {
    array.requireWritable("write", List.of());
    ArrayRange range = array.range();
    if (!range.storage().device.isHost()) {
      try (NDArray copy = DeviceCopies.onHost(array)) {
        try {
          write(copy, writer);
        } finally {
          // If the writer throws, the copy counts as never computed, and so does the array then.
          DeviceCopies.push(copy.range(), range);
        }
      }
      return;
    }
    try {
      write(range, "write", () -> writer.accept(range.view().segment()));
    } finally {
      Reference.reachabilityFence(array);
    }
  }

  /** Like {@link NDArray#hold}. */
  HeldArray hold(NDArray array) {
    array.waitToRead();
    ArrayRange range = array.range();
    if (!range.storage().outlivesRuntime()) {
      try (NDArray copy = DeviceCopies.onHost(array)) {
        return hold(copy);
      }
    }
    return array.runtime().open().during("hold", () -> HeldArray.of(range));
  }

  /** Waits until all writes so far have ended. @throws OperationFailed when the value was never computed */
  void await(ArrayStorage storage, String what) {
    storage.requireValues(what);
    requireOutside(what);
    try {
      engine.waitForVariable(storage.variable);
    } catch (OperationFailed e) {
      throw Refusals.failed(storage, e);
    } catch (IllegalStateException e) {
      throw Refusals.of(what, storage.runtime, e);
    }
  }

  /** Like {@link ArrayRuntime#waitAll}. */
  void awaitAll(ArrayRuntime runtime) {
    requireOutside("waitAll");
    try {
      engine.waitForAll();
    } catch (IllegalStateException e) {
      throw Refusals.of("waitAll", runtime, e);
    }
  }

  private <R> R read(ArrayRange range, String what, Supplier<R> body) {
    await(range.storage(), what);
    return isNaive ? inside(body) : inTurn(what, range, true, body);
  }

  /** What the body throws leaves the bytes half written: they count as never computed. */
  private void write(ArrayRange range, String what, Runnable body) {
    await(range.storage(), what);
    range.storage().countWrite();
    if (isNaive) {
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
      engine.push(Operation.of(what, Footprint.writing(range.storage().variable), body));
    } catch (IllegalStateException e) {
      throw Refusals.of(what, range.storage().runtime, e, range);
    } catch (OperationFailed e) {
      switch (e.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw e;
      }
    }
  }

  private <R> R inside(Supplier<R> body) {
    inside.set(true);
    try {
      return body.get();
    } finally {
      inside.set(false);
    }
  }

  private <R> R inTurn(String what, ArrayRange range, boolean isRead, Supplier<R> body) {
    // Written by the operation, so that it tells when the operation was skipped.
    Variable receipt = engine.newVariable(what);
    var turn = new CallerTurn(isRead);
    var touched = new Variable[] {receipt, range.storage().variable};
    Operation operation = Operation.async(what, Footprint.of(touched, isRead ? 1 : 2), turn);
    boolean isPushed = false;
    try {
      engine.push(operation.with(FunctionProperty.ASYNC));
      isPushed = true;
    } catch (IllegalStateException e) {
      throw Refusals.of(what, range.storage().runtime, e, range);
    } finally {
      if (!isPushed && !isRead) {
        range.storage().uncountWrite();
      }
    }
    return turn.run(() -> engine.throwIfFailed(receipt), () -> inside(body));
  }
}
