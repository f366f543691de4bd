package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every engine must do. A subclass gives the engine and nothing else. */
abstract class EngineContract {
  protected Engine engine;

  protected abstract Engine newEngine();

  @BeforeEach
  void open() {
    engine = newEngine();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void writersOfOneVariableRunInTheOrderPushed() {
    Variable variable = engine.newVariable("x");
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 100; i++) {
      int number = i;
      engine.push(new Task("t" + i, List.of(), List.of(variable), () -> seen.add(number)));
    }
    engine.waitFor(variable);
    assertThat(seen).hasSize(100).isSorted();
  }

  @Test
  void versionCountsWritesAndNotReads() {
    Variable variable = engine.newVariable("x");
    for (int i = 0; i < 10; i++) {
      engine.push(new Task("write", List.of(), List.of(variable), () -> {}));
      engine.push(new Task("read", List.of(variable), List.of(), () -> {}));
    }
    engine.waitForAll();
    assertThat(variable.version()).isEqualTo(10);
  }

  @Test
  void waitingForAnUnusedVariableReturnsAtOnce() {
    engine.waitFor(engine.newVariable("unused"));
    engine.waitForAll();
  }

  @Test
  void aVariableTwiceInOneTaskIsRefused() {
    Variable variable = engine.newVariable("x");
    assertThatThrownBy(() -> new Task("t", List.of(variable), List.of(variable), () -> {}))
      .isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("twice");
    assertThatThrownBy(() -> new Task("t", List.of(), List.of(variable, variable), () -> {}))
      .isInstanceOf(IllegalArgumentException.class);
    new Task("reading twice is harmless", List.of(variable, variable), List.of(), () -> {});
  }

  @Test
  void aTaskMayBePushedAgain() {
    Variable variable = engine.newVariable("x");
    var count = new int[1];
    var task = new Task("count", List.of(), List.of(variable), () -> count[0]++);
    for (int i = 0; i < 5; i++) {
      engine.push(task);
    }
    engine.waitFor(variable);
    assertThat(count[0]).isEqualTo(5);
  }

  @Test
  void aFailureReachesSomebodyAndLaterTasksStillRun() {
    Variable variable = engine.newVariable("x");
    assertThatThrownBy(() -> {
      engine.push(new Task("fails", List.of(), List.of(variable), () -> {
        throw new IllegalStateException("planted");
      }));
      engine.waitFor(variable);
    }).isInstanceOf(IllegalStateException.class).hasMessageContaining("planted");
    var ran = new boolean[1];
    engine.push(new Task("after", List.of(), List.of(variable), () -> ran[0] = true));
    engine.waitFor(variable);
    assertThat(ran[0]).isTrue();
  }

  /** A random program over shared cells must leave what running it line by line leaves. */
  @Test
  void randomProgramsEqualSerialExecution() {
    for (int seed = 0; seed < 50; seed++) {
      var random = new SplittableRandom(seed);
      long[] cells = new long[8];
      long[] serial = new long[8];
      List<Variable> variables = new ArrayList<>();
      for (int i = 0; i < cells.length; i++) {
        variables.add(engine.newVariable("cell" + i));
      }
      for (int i = 0; i < 200; i++) {
        int to = random.nextInt(cells.length);
        int from = random.nextInt(cells.length);
        int salt = random.nextInt();
        serial[to] = serial[to] * 31 + serial[from] + salt;
        List<Variable> reads = from == to ? List.of() : List.of(variables.get(from));
        engine.push(new Task("t" + i, reads, List.of(variables.get(to)), () -> cells[to] = cells[to] * 31 + cells[from]
          + salt));
      }
      engine.waitForAll();
      assertThat(Arrays.toString(cells)).isEqualTo(Arrays.toString(serial));
    }
  }

  @Test
  void aClosedEngineTakesNothing() {
    Engine closed = newEngine();
    Variable variable = closed.newVariable("x");
    closed.close();
    assertThatThrownBy(() -> closed.push(new Task("late", List.of(), List.of(variable), () -> {})))
      .isInstanceOf(IllegalStateException.class)
      .hasMessageContaining("late");
  }
}
