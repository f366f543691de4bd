package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Pushes put together. */
class EngineBulkTest extends EngineContract {
  @Test
  void aWaitHandsOverWhatIsHeldBack() {
    Variable x = variable("x");
    var value = new int[1];
    try (Engine.Bulk bulk = engine.bulk(10)) {
      assertThat(bulk).isNotNull();
      engine.push(write("= 1", () -> value[0] = 1, x));
      engine.push(write("* 2", () -> value[0] *= 2, x));
      engine.push(write("+ 1", () -> value[0]++, x));
      engine.waitForVariable(x);
      assertThat(value[0]).isEqualTo(3);
      engine.push(write("+ 1", () -> value[0]++, x));
      engine.waitForAll();
      assertThat(value[0]).isEqualTo(4);
      for (int i = 0; i < 100; i++) {
        engine.push(write("+ 1", () -> value[0]++, x));
      }
    }
    engine.waitForVariable(x);
    assertThat(value[0]).isEqualTo(104);
  }

  @Test
  void nothingRunsBeforeTheBulkIsFullOrFlushed() {
    Variable x = variable("x");
    var ran = new AtomicInteger();
    engine.bulkSize(3);
    engine.push(write("a", ran::incrementAndGet, x));
    engine.push(write("b", ran::incrementAndGet, x));
    assertThat(engine.pending()).as("handed over").isZero();
    assertThat(ran).as("the naive engine holds nothing back").hasValue(isNaive() ? 2 : 0);
    engine.push(write("c", ran::incrementAndGet, x));
    // Handed over by being full: another thread's wait sees it.
    Thread other = Thread.ofPlatform().start(() -> engine.waitForVariable(x));
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(ran).hasValue(3);
    assertThat(x.version()).as("one write for all that ran together").isEqualTo(isNaive() ? 3 : 1);
  }

  @Test
  void theSizeBeforeIsReturned() {
    assertThat(engine.bulkSize(5)).isZero();
    assertThat(engine.bulkSize(7)).isEqualTo(5);
    assertThat(engine.bulkSize(0)).isEqualTo(7);
    assertThat(engine.bulkSize(0)).isZero();
    assertThatThrownBy(() -> engine.bulkSize(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void otherKindsOfPushesFlushAndKeepTheOrder() {
    Variable x = variable("x");
    List<Integer> seen = new ArrayList<>();
    engine.bulkSize(100);
    for (int i = 0; i < 100; i++) {
      int number = i;
      Operation operation = write("t" + i, () -> seen.add(number), x);
      engine.push(switch (i % 5) {
        case 1 -> operation.with(FunctionProperty.CPU_PRIORITIZED);
        case 2 -> operation.withPriority(3);
        case 3 -> operation.on(ExecutionPlace.cpu(1));
        default -> operation;
      });
    }
    engine.waitForVariable(x);
    assertThat(seen).hasSize(100).isSorted();
  }

  @Test
  void aFailureInABulkPoisonsOnlyWhatDependsOnIt() {
    Variable a = variable("a");
    Variable b = variable("b");
    Variable c = variable("c");
    var ran = new AtomicInteger();
    engine.bulkSize(10);
    pushFailing(failing("bad", a));
    engine.push(copy(a, b, ran::incrementAndGet));
    engine.push(write("good", ran::incrementAndGet, c));
    assertThat(failureOf(b).operation()).isEqualTo("bad");
    assertThat(failureOf(a).operation()).isEqualTo("bad");
    assertThat(failureOf(c)).isNull();
    assertThat(ran).hasValue(1);
    assertThat(failureOfAll()).isNull();
  }

  /** One bulk has operations that fail, that are skipped, that overwrite, and that have a line of their own. */
  @Test
  void eachInABulkKeepsItsNameAndWhatItIsLike() {
    Variable a = variable("a");
    Variable b = variable("b");
    var ran = new AtomicInteger();
    engine.bulkSize(100);
    try {
      engine.push(Operation.of("bad", Footprint.writing(a), () -> {
        throw new IllegalStateException("on purpose");
      }));
    } catch (OperationFailed e) {
      // The naive engine says so at once.
      assertThat(e.operation()).isEqualTo("bad");
    }
    engine.push(Operation.of("skipped", Footprint.writing(a), ran::incrementAndGet));
    engine.push(write("anew", ran::incrementAndGet, a).overwriting());
    engine.push(Operation.of("behind", Footprint.writing(a), ran::incrementAndGet));
    for (int i = 0; i < 90; i++) {
      engine.push(write("said", ran::incrementAndGet, b).at("line " + i));
    }
    pushFailing(failing("worse", b).at("line 90"));
    engine.push(Operation.of("last", Footprint.writing(b), ran::incrementAndGet));
    assertThat(failureOf(a)).isNull();
    OperationFailed failure = failureOf(b);
    assertThat(failure.operation()).isEqualTo("worse");
    assertThat(failure).hasMessageContaining("line 90");
    assertThat(ran).hasValue(92);
    try {
      engine.waitForAll();
    } catch (OperationFailed e) {
      assertThat(e.operation()).isEqualTo("bad");
    }
  }

  @Test
  void aNewSizeHandsOverWhatIsHeldBack() {
    Variable x = variable("x");
    engine.bulkSize(10);
    engine.push(write("held", () -> {}, x));
    engine.bulkSize(20);
    assertThat(writesSeenByAnotherThread(x)).isEqualTo(1);
  }

  @Test
  void asynchronousWorkHandsOverWhatIsHeldBack() {
    Variable x = variable("x");
    List<String> order = new ArrayList<>();
    engine.bulkSize(10);
    engine.push(write("held", () -> order.add("held"), x));
    engine.push(Operation.async("async", Footprint.writing(x), completion -> {
      order.add("async");
      completion.complete();
    }));
    assertThat(writesSeenByAnotherThread(x)).isEqualTo(2);
    assertThat(order).containsExactly("held", "async");
  }

  /** The waits of the other thread hand over no operation of this one. */
  private long writesSeenByAnotherThread(Variable variable) {
    Thread other = Thread.ofPlatform().start(() -> engine.waitForVariable(variable));
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return variable.version();
  }

  @Test
  void aDeleteFlushesFirst() {
    Variable x = variable("x");
    List<String> order = new ArrayList<>();
    engine.bulkSize(10);
    engine.push(write("use", () -> order.add("use"), x));
    engine.deleteVariable(x, () -> order.add("delete"));
    awaitAll();
    assertThat(order).containsExactly("use", "delete");
  }

  @Test
  void bulksOfOneThreadDoNotHoldBackAnother() throws InterruptedException {
    engine.bulkSize(1000);
    var ran = new AtomicInteger();
    Thread other = Thread.ofPlatform().start(() -> {
      Variable y = variable("y");
      engine.push(write("y", ran::incrementAndGet, y));
      engine.waitForVariable(y);
    });
    other.join();
    assertThat(ran).hasValue(1);
  }

  @Test
  void aBulkOfManyVariablesTouchesEachOnce() {
    List<Variable> variables = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      variables.add(variable("v" + i));
    }
    engine.bulkSize(15);
    for (int i = 0; i < 15; i++) {
      engine.push(Operation.of("t", List.of(variables.get(19 - i), variables.get((i * 7 + 1) % 19)), List.of(
        variables.get(i / 4)).stream().filter(it -> false).toList(), () -> {}));
      engine.push(write("w", () -> {}, variables.get(i / 4)));
    }
    awaitAll();
    assertThat(variables.get(0).version()).isPositive();
  }
}
