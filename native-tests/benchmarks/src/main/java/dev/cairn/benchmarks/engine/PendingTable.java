package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/** Very many operations that wait at the same time. */
final class PendingTable implements EngineTable {
  private static final Goal BYTES = Goal.atMost(160);
  private static final Goal MILLIONS_A_SECOND = Goal.atLeast(3);
  private static final int OPERATIONS_A_VARIABLE = 10;
  private static final int TURNS = 5;

  private record Turn(double pushNanos, double runNanos, double bytes) {}

  @Override
  public String name() {
    return "pending";
  }

  @Override
  public Section measured(Rivals rivals, EngineEffort effort) {
    int count = effort.pending();
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < TURNS; i++) {
      turns.add(turn(count));
    }
    Sample push = Sample.of(turns.stream().map(Turn::pushNanos).toList());
    Sample run = Sample.of(turns.stream().map(Turn::runNanos).toList());
    Sample bytes = Sample.of(turns.stream().map(Turn::bytes).toList());
    double rate = 1e3 / Sample.of(turns.stream().map(it -> it.pushNanos + it.runNanos).toList()).median();
    var table = new MarkdownTable("step", "median", "spread", "goal")
      .row("push, ns an operation", number(push.median()), spread(push), "")
      .row("run, ns an operation", number(run.median()), spread(run), "")
      .row("both, million operations a second", MarkdownTable.number(2, rate), "", MILLIONS_A_SECOND.toString())
      .row("heap, bytes an operation", number(bytes.median()), spread(bytes), BYTES.toString());
    List<Figure> figures = List.of(Figure.judged("pending-Mops", rate, 2, MILLIONS_A_SECOND),
      Figure.judged("pending-bytes", bytes.median(), 0, BYTES));
    System.err.println("pending: " + figures);
    return new Section("Very many pending", text(count), table, figures);
  }

  private static Turn turn(int count) {
    try (Engine engine = Engine.open(EngineOptions.DEFAULT)) {
      long[] cells = new long[count / OPERATIONS_A_VARIABLE];
      List<Operation> operations = operations(engine, cells);
      var gate = new CountDownLatch(1);
      List<Variable> all = operations.stream().flatMap(it -> it.footprint().writes().stream()).toList();
      engine.push(Operation.of("gate", List.of(), all, () -> await(gate)));
      long before = usedBytes();
      long begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        engine.push(operations.get(i % operations.size()));
      }
      double pushNanos = System.nanoTime() - begin;
      double bytes = usedBytes() - before;
      long released = System.nanoTime();
      gate.countDown();
      engine.waitForAll();
      double runNanos = System.nanoTime() - released;
      requireAllRan(cells);
      return new Turn(pushNanos / count, runNanos / count, bytes / count);
    }
  }

  /** Each reads the variable before its own, and one more, by chance. */
  private static List<Operation> operations(Engine engine, long[] cells) {
    List<Variable> variables = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      variables.add(engine.newVariable("v" + i));
    }
    var random = new SplittableRandom(1);
    List<Operation> operations = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      int cell = i;
      int other = (i + 1 + random.nextInt(cells.length - 1)) % cells.length;
      operations.add(Operation.of("count", List.of(variables.get(other)), List.of(variables.get(i)),
        () -> cells[cell]++));
    }
    return operations;
  }

  private static void requireAllRan(long[] cells) {
    for (long cell : cells) {
      if (cell != OPERATIONS_A_VARIABLE) {
        throw new IllegalStateException("operations were lost: wanted=%d ran=%d".formatted(OPERATIONS_A_VARIABLE,
          cell));
      }
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted at the gate", e);
    }
  }

  private static long usedBytes() {
    System.gc();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return heap.getUsed();
  }

  private static String number(double value) {
    return MarkdownTable.number(0, value);
  }

  private static String spread(Sample sample) {
    return "%s..%s".formatted(number(sample.min()), number(sample.max()));
  }

  private static String text(int count) {
    return """
      %,d operations over %,d variables, one read and one write each, ten for each variable, pushed while a first
      operation that writes them all is held up; then let go. All must have run. Bytes are what the heap holds more
      after a collection, operations and variables themselves not counted, over the number of operations; median of %d
      times.
      """.formatted(count, count / OPERATIONS_A_VARIABLE, TURNS);
  }
}
