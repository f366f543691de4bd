package dev.cairn.runtime.executor;

import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a graph that runs node by node, as operations of an engine. A step writes a variable, and the steps that
 * need its results read that variable, so branches run side by side. Handing steps over costs microseconds: the caller
 * runs the steps itself unless the latest run spent {@link #LEAST_GAIN_NANOS} beside its longest chain. Thread-safe.
 */
final class StepOperations {
  /** Waking a thread, and being woken by it, takes tens of microseconds, and more on a busy machine. */
  static final long LEAST_GAIN_NANOS = 500_000;

  private final @Nullable Engine engine;
  private final List<Node> steps;
  /** For each step, the earlier steps whose results it reads. */
  private final int[][] needs;
  private final boolean isChain;
  private final LongSupplier clock;
  private volatile long gainNanos;

  /**
   * @param steps in an order in which they may run
   * @param engine null to run all steps on the caller's thread
   * @param clock gives nanoseconds, as {@link System#nanoTime}
   */
  StepOperations(List<Node> steps, @Nullable Engine engine, LongSupplier clock) {
    this.steps = steps;
    this.engine = engine;
    this.clock = clock;
    this.needs = needs(steps);
    long[] ones = new long[steps.size()];
    Arrays.fill(ones, 1);
    this.isChain = gain(ones) == 0;
  }

  private static int[][] needs(List<Node> steps) {
    Map<Node, Integer> places = new HashMap<>();
    int[][] needs = new int[steps.size()][];
    for (int step = 0; step < needs.length; step++) {
      needs[step] = steps.get(step).operands().stream().map(NodeEntry::node).map(places::get).filter(Objects::nonNull)
        .mapToInt(it -> it).distinct().toArray();
      places.put(steps.get(step), step);
    }
    return needs;
  }

  /** The time of all steps less that of the longest chain of steps that need each other. */
  private long gain(long[] nanos) {
    long[] ends = new long[nanos.length];
    long longest = 0;
    for (int step = 0; step < ends.length; step++) {
      for (int earlier : needs[step]) {
        ends[step] = Math.max(ends[step], ends[earlier]);
      }
      ends[step] += nanos[step];
      longest = Math.max(longest, ends[step]);
    }
    return Arrays.stream(nanos).sum() - longest;
  }

  /** Whether to run branches side by side now. Inside an operation of the engine, nothing can wait for others. */
  boolean pay() {
    return gainNanos >= LEAST_GAIN_NANOS && engine != null && !engine.isInsideOperation();
  }

  /**
   * Runs all steps, one after the other or side by side. Throws what the earliest failed step threw; the steps that
   * need its results did not run then, and none is under way.
   *
   * @param together as {@link #pay} said
   */
  void run(IntConsumer work, boolean together) {
    if (isChain || engine == null) {
      for (int step = 0; step < needs.length; step++) {
        work.accept(step);
      }
      return;
    }
    long[] nanos = new long[needs.length];
    IntConsumer timed = step -> {
      long begun = clock.getAsLong();
      work.accept(step);
      nanos[step] = clock.getAsLong() - begun;
    };
    if (together) {
      runTogether(engine, timed);
    } else {
      for (int step = 0; step < needs.length; step++) {
        timed.accept(step);
      }
    }
    gainNanos = gain(nanos);
  }

  private void runTogether(Engine on, IntConsumer work) {
    var done = new Variable[needs.length];
    var failure = new RunFailure();
    RunScope scope = RunScope.innermost();
    int pushed = 0;
    try {
      for (; pushed < done.length; pushed++) {
        int step = pushed;
        String name = steps.get(step).name();
        done[step] = on.newVariable(name);
        push(on, Operation.of(name, footprint(done, step), () -> runStep(scope, work, step)), done[step]);
      }
    } finally {
      // Even if a push was refused: the operations before it use the run's values.
      for (int step = 0; step < pushed; step++) {
        await(on, done[step], step, failure);
      }
    }
    failure.throwIfAny();
  }

  /** Runs one step on the engine's thread, which works for the run meanwhile. */
  private static void runStep(@Nullable RunScope run, IntConsumer work, int step) {
    RunScope entered = run != null && run.enter() ? run : null;
    try {
      work.accept(step);
    } finally {
      if (entered != null) {
        entered.leave();
      }
    }
  }

  private static void push(Engine on, Operation operation, Variable done) {
    boolean pushed = false;
    try {
      on.push(operation);
      pushed = true;
    } finally {
      if (!pushed) {
        on.deleteVariable(done, () -> {});
      }
    }
  }

  private Footprint footprint(Variable[] done, int step) {
    var touched = new Variable[1 + needs[step].length];
    touched[0] = done[step];
    for (int i = 1; i < touched.length; i++) {
      touched[i] = done[needs[step][i - 1]];
    }
    return Footprint.of(touched, 1);
  }

  private static void await(Engine on, Variable variable, int step, RunFailure failure) {
    try {
      on.waitForVariable(variable);
    } catch (OperationFailed e) {
      failure.add(step, Objects.requireNonNull(e.getCause()));
    }
    on.deleteVariable(variable, () -> {});
  }
}
