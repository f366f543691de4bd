package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.queue.Operation;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random programs against serial execution. */
class EngineRandomTest extends EngineContract {
  @Test
  void randomWorkloadsEqualSerialExecutionBitForBit() {
    for (long seed = 1; seed <= 10; seed++) {
      check(seed, 100, 1000);
    }
  }

  @Test
  @Tag("soak")
  void aThousandRandomWorkloadsEqualSerialExecutionBitForBit() {
    for (long seed = 1; seed <= 1000; seed++) {
      check(seed, 100, 1000);
    }
  }

  @Test
  @Tag("soak")
  void longRandomWorkloadsEqualSerialExecutionBitForBit() {
    for (long seed = 1; seed <= 20; seed++) {
      check(seed, 100, 10_000);
    }
  }

  @Test
  void manyOperationsOverManyVariables() {
    operationsOverVariables(5_000);
  }

  @Test
  @Tag("soak")
  void aMillionOperationsOverAHundredThousandVariables() {
    operationsOverVariables(100_000);
  }

  private void operationsOverVariables(int variables) {
    int perVariable = 10;
    long[] cells = new long[variables];
    Operation[] operations = new Operation[variables];
    for (int i = 0; i < variables; i++) {
      int cell = i;
      operations[i] = write("add", () -> cells[cell]++, variable("v"));
    }
    for (int round = 0; round < perVariable; round++) {
      for (Operation operation : operations) {
        engine.push(operation);
      }
    }
    awaitAll();
    assertThat(cells).containsOnly(perVariable);
    assertThat(operations[variables - 1].footprint().writes().get(0).version()).isEqualTo(perVariable);
  }

  /** Some minutes; run with -Dcairn.soak.seeds=20000 for about an hour. */
  @Test
  @Tag("soak")
  void randomWorkloadsForLong() {
    long seeds = Long.getLong("cairn.soak.seeds", 500);
    for (long seed = 1_000_000; seed < 1_000_000 + seeds; seed++) {
      var random = new SplittableRandom(seed);
      check(seed, 2 + random.nextInt(200), 1 + random.nextInt(20_000));
      engine.stop();
      engine.start();
    }
  }

  private void check(long seed, int variables, int lines) {
    var workload = new RandomWorkload(seed, variables, lines, 19);
    workload.runSerially();
    workload.runOn(engine, new SplittableRandom(seed));
    assertThat(workload.firstDifference()).as("seed=%d engine=%s", seed, kind).isEqualTo(-1);
  }
}
