package dev.cairn.benchmarks.engine;

import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.ArrayList;
import java.util.List;

/** Cairn's engine for each device, as it is by default: one thread runs the pushed operations. */
final class CairnContestant implements Contestant {
  private static final long LONG_NANOS = 100_000;

  private final Runnable nothing = CairnContestant::doNothing;
  private final Engine engine = Engine.open(EngineOptions.DEFAULT);
  private final List<Variable> variables = new ArrayList<>();
  private final Triples triples = Triples.of(Workload.FEW_VARIABLES);
  private final Operation[] made = new Operation[Triples.COUNT];

  CairnContestant() {
    for (int i = 0; i < Workload.VARIABLES; i++) {
      variables.add(engine.newVariable("v" + i));
    }
    for (int i = 0; i < made.length; i++) {
      made[i] = Operation.of("2r1w", footprint(i), nothing);
    }
  }

  private static void doNothing() {}

  private Footprint footprint(int triple) {
    return Footprint.of(List.of(variables.get(triples.read(triple, 0)), variables.get(triples.read(triple, 1))),
      List.of(variables.get(triples.write(triple))));
  }

  @Override
  public boolean can(Workload workload) {
    return true;
  }

  @Override
  public void run(Workload workload, int operations) {
    switch (workload) {
      case WRITE -> writes(operations);
      case CHAIN -> chain(operations);
      case READS_AND_WRITE -> readsAndWrites(operations);
      case REUSED -> reused(operations);
      case BULK -> {
        try (Engine.Bulk bulk = engine.bulk(Workload.BULK_SIZE)) {
          assert bulk != null;
          writes(operations);
        }
      }
    }
    engine.waitForAll();
  }

  private void writes(int operations) {
    int variable = 0;
    for (int i = operations; i > 0; i--) {
      engine.push(Operation.of("write", Footprint.writing(variables.get(variable)), nothing));
      variable = variable + 1 == Workload.VARIABLES ? 0 : variable + 1;
    }
  }

  private void chain(int operations) {
    Variable variable = variables.get(0);
    for (int i = operations; i > 0; i--) {
      engine.push(Operation.of("write", Footprint.writing(variable), nothing));
    }
  }

  private void readsAndWrites(int operations) {
    for (int i = operations; i > 0; i--) {
      engine.push(Operation.of("2r1w", footprint(i & (Triples.COUNT - 1)), nothing));
    }
  }

  private void reused(int operations) {
    for (int i = operations; i > 0; i--) {
      engine.push(made[i & (Triples.COUNT - 1)]);
    }
  }

  @Override
  public void pushAndWait() {
    Variable variable = variables.get(0);
    engine.push(Operation.of("write", Footprint.writing(variable), nothing));
    engine.waitForVariable(variable);
  }

  /** How long after the end of an operation of 100 µs the wait for its variable returns, in nanoseconds. */
  long wakeUpNanos() {
    Variable variable = variables.get(0);
    var end = new long[1];
    engine.push(Operation.of("long", Footprint.writing(variable), () -> {
      long until = System.nanoTime() + LONG_NANOS;
      do {
        end[0] = System.nanoTime();
      } while (end[0] < until);
    }));
    engine.waitForVariable(variable);
    return System.nanoTime() - end[0];
  }

  @Override
  public void close() {
    engine.close();
  }
}
