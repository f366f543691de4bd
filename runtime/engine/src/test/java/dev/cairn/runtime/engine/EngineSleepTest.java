package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * The tests of engines, with threads that never look for work but sleep at once: they fail if a wake-up is missing or
 * lost.
 */
class EngineSleepTest extends EngineContract {
  @Override
  protected EngineOptions options() {
    return super.options().withSpinNanos(0);
  }

  @Test
  void everyRoundTripWakesBothSides() throws TimeoutException {
    Variable variable = variable("a");
    int[] runs = new int[1];
    Operation operation = write("add", () -> runs[0]++, variable);
    for (int i = 1; i <= 200; i++) {
      engine.push(operation);
      engine.waitForVariable(variable, LONG);
      assertThat(runs[0]).isEqualTo(i);
    }
  }

  @Test
  void randomWorkloadsEqualSerialExecutionBitForBit() {
    for (long seed = 1; seed <= 5; seed++) {
      var workload = new RandomWorkload(seed, 20, 500, 19);
      workload.runSerially();
      workload.runOn(engine, new SplittableRandom(seed));
      assertThat(workload.firstDifference()).as("seed=%d engine=%s", seed, kind).isEqualTo(-1);
    }
  }
}
