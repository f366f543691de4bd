package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.custom.CustomOperator;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pushes operations over arrays to the engine, in the order of their storages' variables. Thread-safe. */
final class ArrayPushes {
  private static final int MOST_UNLOOKED = 256;
  private static final long LOOK_NANOS = 20_000;

  private static final long SHORT_BYTES = 8 << 10;

  private final ArrayRuntime runtime;
  /** Names of the program's operators, whose kernels may take any time. */
  private final Set<String> ownOperators;
  private final int maxPending;
  private final int lookEvery;
  /** Counted without care: a look more or less at how many are pending changes nothing. */
  private int pushes;
  /** Runs on a thread that is about to wait, since it has run too far ahead. For tests. */
  volatile Runnable beforeWait = () -> {};

  ArrayPushes(ArrayRuntime runtime, ArrayOptions options) {
    this.runtime = runtime;
    this.ownOperators = options.operators().operators().stream().map(CustomOperator::name).collect(Collectors
      .toUnmodifiableSet());
    this.maxPending = options.maxPending();
    this.lookEvery = Math.clamp(maxPending / 4, 1, MOST_UNLOOKED);
  }

  /** Variables that an operation reads and writes besides those of its arrays. */
  record Besides(List<Variable> reads, List<Variable> writes) {
    static final Besides NOTHING = new Besides(List.of(), List.of());
  }

  /**
   * Pushes work that reads and writes arrays.
   *
   * @param ignoresOldValue whether a value that was never computed is made good, where everything is written
   */
  void push(String name, @Nullable ArrayRange[] read, ArrayRange[] written, Runnable work, boolean ignoresOldValue) {
    push(name, read, written, Besides.NOTHING, work, ignoresOldValue);
  }

  /** As {@link #push(String, ArrayRange[], ArrayRange[], Runnable, boolean)}, with further variables. */
  void push(String name, @Nullable ArrayRange[] read, ArrayRange[] written, Besides besides, Runnable work,
    boolean ignoresOldValue) {
    int writes = written.length + besides.writes.size();
    var variables = new Variable[writes + read.length + besides.reads.size()];
    int count = 0;
    boolean overwrites = ignoresOldValue;
    for (ArrayRange range : written) {
      range.storage().requireValues(name);
      range.storage().countWrite();
      variables[count++] = range.storage().variable;
      overwrites &= range.coversStorage();
    }
    count = added(variables, count, besides.writes);
    count = added(variables, count, besides.reads);
    for (ArrayRange range : read) {
      // What is never written needs no place in the order; the engine refuses what is both read and written.
      if (range != null && !range.storage().isConstant) {
        range.storage().requireValues(name);
        if (isAmong(variables, writes, range.storage().variable)) {
          overwrites = false;
        } else {
          variables[count++] = range.storage().variable;
        }
      }
    }
    throttle();
    try {
      push(name, Footprint.of(count == variables.length ? variables : Arrays.copyOf(variables, count), writes), work,
        overwrites, besides.equals(Besides.NOTHING));
    } catch (OperationFailed e) {
      throw Refusals.failed(written[0].storage(), e);
    } catch (IllegalStateException e) {
      for (ArrayRange range : written) {
        range.storage().uncountWrite();
      }
      @Nullable
      ArrayRange[] touched = Arrays.copyOf(written, written.length + read.length, ArrayRange[].class);
      System.arraycopy(read, 0, touched, written.length, read.length);
      throw Refusals.of(name, runtime, e, touched);
    }
  }

  /** As the others, on the processor, where no lines are noted. */
  void push(String name, SmallInvocation work) {
    work.first().storage().requireValues(name);
    ArrayRange second = work.second();
    if (second != null) {
      second.storage().requireValues(name);
    }
    work.result().storage().requireValues(name);
    work.result().storage().countWrite();
    throttle();
    try {
      runtime.engine().push(onHost(name, work.footprint(), work));
    } catch (OperationFailed e) {
      throw Refusals.failed(work.result().storage(), e);
    } catch (IllegalStateException e) {
      work.result().storage().uncountWrite();
      throw Refusals.of(name, runtime, e, work.result(), work.first(), second);
    }
  }

  /** As {@link Engine#bulkSize}. */
  int bulkSize(int operations) {
    try {
      return runtime.engine().bulkSize(operations);
    } catch (IllegalStateException e) {
      throw Refusals.of("bulk", runtime, e);
    }
  }

  private static int added(Variable[] variables, int count, List<Variable> more) {
    int end = count;
    for (int i = 0; i < more.size(); i++) {
      variables[end++] = more.get(i);
    }
    return end;
  }

  private static boolean isAmong(Variable[] variables, int count, Variable variable) {
    for (int i = 0; i < count; i++) {
      if (variables[i].equals(variable)) {
        return true;
      }
    }
    return false;
  }

  /** @param mayBeHeld whether a bulk may hold it back; not if it uses something else that may be closed meanwhile */
  private void push(String name, Footprint footprint, Runnable work, boolean overwrites, boolean mayBeHeld) {
    String site = runtime.site();
    Operation made = work instanceof Pushable elsewhere
      ? elsewhere.operation(name, footprint)
      : onHost(name, footprint, work);
    Operation placed = site == null ? made : made.at(site);
    Operation ordered = overwrites ? placed.overwriting() : placed;
    Operation operation = mayBeHeld ? ordered : ordered.withPriority(1);
    runtime.engine().push(operation);
  }

  private Operation onHost(String name, Footprint footprint, Runnable work) {
    return isShort(name, work) ? Operation.brief(name, footprint, work) : Operation.of(name, footprint, work);
  }

  /** Whether it takes no longer than to hand it to another thread, whatever the kernel does: it must be Cairn's. */
  private boolean isShort(String name, Runnable work) {
    return work instanceof KernelWork kernel && kernel.bytes() <= SHORT_BYTES && !ownOperators.contains(name);
  }

  /** a program that runs far ahead waits, but never inside an operation. */
  private void throttle() {
    Engine engine = runtime.engine();
    if (++pushes % lookEvery != 0 || engine.pending() < maxPending || runtime.access().isInside()) {
      return;
    }
    beforeWait.run();
    boolean interrupted = false;
    while (engine.pending() > maxPending / 2) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
