package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The end of an engine, and its beginning. */
final class LifecycleTable implements EngineTable {
  private static final Goal SHUTDOWN_MILLIS = Goal.atMost(2000);
  private static final Goal NONE = Goal.atMost(0);
  private static final int PENDING = 100_000;

  @Override
  public String name() {
    return "lifecycle";
  }

  @Override
  public Section measured(Rivals rivals, EngineEffort effort) {
    int before = ManagementFactory.getThreadMXBean().getThreadCount();
    Rounds cycles = Rounds.played(effort.cycles() - 1, List.of(LifecycleTable::cycleMillis));
    // A thread that was just about to end is no leak.
    int left = Math.max(0, ManagementFactory.getThreadMXBean().getThreadCount() - before);
    Rounds shutdowns = Rounds.played(effort.rounds(), List.of(LifecycleTable::shutdownMillis));
    List<Figure> figures = List.of(Figure.judged("shutdown-ms", shutdowns.of(0).median(), 0, SHUTDOWN_MILLIS),
      Figure.judged("threads-left", left, 0, NONE), Figure.told("cycle-ms", cycles.of(0).median(), 2));
    var table = new MarkdownTable("step", "median", "most", "goal")
      .row("shutdown with 100,000 pending, ms", MarkdownTable.number(1, shutdowns.of(0).median()),
        MarkdownTable.number(1, shutdowns.of(0).max()), SHUTDOWN_MILLIS.toString())
      .row("open, stop, start, close, ms", MarkdownTable.number(2, cycles.of(0).median()),
        MarkdownTable.number(2, cycles.of(0).max()), "")
      .row("threads left", Integer.toString(left), "", NONE.toString());
    System.err.println("lifecycle: " + figures);
    return new Section("Beginning and end", text(effort), table, figures);
  }

  private static double cycleMillis() {
    long begin = System.nanoTime();
    try (Engine engine = Engine.open(EngineOptions.DEFAULT)) {
      engine.push(Operation.of("one", Footprint.NONE, () -> {}));
      engine.waitForAll();
      engine.stop();
      engine.start();
      engine.push(Operation.of("two", Footprint.NONE, () -> {}));
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  private static double shutdownMillis() {
    try (Engine engine = Engine.open(EngineOptions.DEFAULT)) {
      Variable variable = engine.newVariable("v");
      var gate = new CountDownLatch(1);
      engine.push(Operation.of("gate", Footprint.writing(variable), () -> await(gate)));
      Operation pending = Operation.of("pending", Footprint.writing(variable), () -> {});
      for (int i = 0; i < PENDING; i++) {
        engine.push(pending);
      }
      long begin = System.nanoTime();
      engine.shutdown();
      gate.countDown();
      engine.stop();
      return (System.nanoTime() - begin) / 1e6;
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted at the gate", e);
    }
  }

  private static String text(EngineEffort effort) {
    return """
      A shutdown with 100,000 operations pending, until the engine has stopped; and what it takes to open an engine,
      push one operation, wait, stop, start, push once more and close, with the threads that are left after %d times.
      """.formatted(effort.cycles());
  }
}
