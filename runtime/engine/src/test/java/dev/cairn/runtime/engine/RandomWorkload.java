package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random program over numbers: each line writes the sum of some others, divided by their count and one, into one
 * that is not among them. It can run line by line, and on an engine; both must leave the same bits.
 */
final class RandomWorkload {
  private final double[] serial;
  private final double[] cells;
  private final int[][] reads;
  private final int[] writes;

  RandomWorkload(long seed, int variables, int lines, int maxReads) {
    var random = new SplittableRandom(seed);
    serial = random.doubles(variables).toArray();
    cells = serial.clone();
    reads = new int[lines][];
    writes = new int[lines];
    for (int line = 0; line < lines; line++) {
      int to = random.nextInt(variables);
      writes[line] = to;
      reads[line] = random.ints(2 + random.nextInt(maxReads - 1), 0, variables).filter(it -> it != to).distinct()
        .toArray();
    }
  }

  void runSerially() {
    for (int line = 0; line < writes.length; line++) {
      run(serial, line);
    }
  }

  private void run(double[] values, int line) {
    double sum = 0;
    for (int from : reads[line]) {
      sum += values[from];
    }
    values[writes[line]] = sum / (reads[line].length + 1);
  }

  /** Pushes the lines as operations of all kinds, and returns when they have ended. */
  void runOn(Engine engine, SplittableRandom random) {
    runOn(engine, random, false);
  }

  /** @param streams whether some are given to streams; the engine has two devices then */
  void runOn(Engine engine, SplittableRandom random, boolean streams) {
    List<Variable> variables = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      variables.add(engine.newVariable("cell" + i));
    }
    List<FunctionProperty> kinds = List.of(FunctionProperty.values());
    engine.bulkSize(random.nextInt(3) * 7);
    for (int line = 0; line < writes.length; line++) {
      List<Variable> read = new ArrayList<>();
      for (int from : reads[line]) {
        read.add(variables.get(from));
      }
      int number = line;
      Footprint footprint = Footprint.of(read, List.of(variables.get(writes[line])));
      Operation operation = random.nextBoolean()
        ? Operation.brief("line" + line, footprint, () -> run(cells, number))
        : Operation.of("line" + line, footprint, () -> run(cells, number));
      if (streams && random.nextBoolean()) {
        operation = Operation.onStream("line" + line, footprint, ExecutionPlace.gpu(random.nextInt(2)),
          stream -> run(cells, number)).with(kinds.get(random.nextInt(kinds.size())));
      } else if (random.nextInt(3) == 0) {
        operation = operation.with(kinds.get(random.nextInt(kinds.size()))).withPriority(random.nextInt(3))
          .on(random.nextBoolean() ? ExecutionPlace.cpu(random.nextInt(2)) : ExecutionPlace.gpu(random.nextInt(2)));
      }
      engine.push(operation);
      if (random.nextInt(200) == 0) {
        engine.waitForVariable(variables.get(random.nextInt(variables.size())));
      }
    }
    engine.bulkSize(0);
    engine.waitForAll();
  }

  /** The first cell in which serial and engine's run differ in a bit, or -1. */
  int firstDifference() {
    for (int i = 0; i < cells.length; i++) {
      if (Double.doubleToRawLongBits(cells[i]) != Double.doubleToRawLongBits(serial[i])) {
        return i;
      }
    }
    return -1;
  }
}
