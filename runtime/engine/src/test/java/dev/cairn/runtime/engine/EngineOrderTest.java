package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.testing.Gate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Order, versions, waits, devices, priorities. */
class EngineOrderTest extends EngineContract {
  @Test
  void writersOfOneVariableRunInTheOrderPushed() {
    Variable variable = variable("x");
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int number = i;
      engine.push(write("t" + i, () -> seen.add(number), variable));
    }
    engine.waitForVariable(variable);
    assertThat(seen).hasSize(1000).isSorted();
  }

  @Test
  void versionIsZeroAfterTenReadsAndTenAfterTenWrites() {
    Variable variable = variable("x");
    for (int i = 0; i < 10; i++) {
      engine.push(read("read", () -> {}, variable));
    }
    awaitAll();
    assertThat(variable.version()).isZero();
    for (int i = 0; i < 10; i++) {
      engine.push(write("write", () -> {}, variable));
    }
    awaitAll();
    assertThat(variable.version()).isEqualTo(10);
  }

  @Test
  void waitingForAFreshVariableReturnsAtOnce() {
    engine.waitForVariable(variable("fresh"));
    engine.waitForAll();
  }

  @Test
  void aReadAfterAQueuedWriteWaitsForIt() {
    Variable variable = variable("x");
    var value = new int[1];
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    for (int i = 1; i <= 100; i++) {
      int next = i;
      engine.push(write("write", () -> value[0] = next, variable));
      engine.push(read("read", () -> seen.add(value[0]), variable));
    }
    awaitAll();
    assertThat(seen).hasSize(100).isSorted().endsWith(100);
    assertThat(seen).doesNotHaveDuplicates();
  }

  @Test
  void consecutiveReadsMayRunTogether() {
    Variable variable = variable("x");
    var together = new CountDownLatch(3);
    Gate waited = openedByAWait();
    engine.push(write("write", waited::pass, variable));
    for (ExecutionPlace place : List.of(ExecutionPlace.cpu(0), ExecutionPlace.cpu(1), ExecutionPlace.gpu(0))) {
      engine.push(read("read", () -> {
        together.countDown();
        if (!isNaive()) {
          await(together);
        }
      }, variable).on(place));
    }
    awaitAll();
    assertThat(together.getCount()).isZero();
  }

  @Test
  void waitingForAVariableDoesNotWaitForItsReaders() {
    Variable variable = variable("x");
    var release = new CountDownLatch(isNaive() ? 0 : 1);
    var ended = new AtomicBoolean();
    engine.push(read("long read", () -> {
      await(release);
      ended.set(true);
    }, variable));
    engine.waitForVariable(variable);
    assertThat(ended.get()).as("the naive engine's push has ended it").isEqualTo(isNaive());
    release.countDown();
    engine.waitForAll();
    assertThat(ended).isTrue();
  }

  @Test
  void waitingForAVariableWaitsForACopyToIt() {
    Variable variable = variable("x");
    var ended = new AtomicBoolean();
    for (ExecutionPlace place : List.of(ExecutionPlace.CPU, ExecutionPlace.gpu(1))) {
      ended.set(false);
      Gate waited = openedByAWait();
      engine.push(write("copy", () -> {
        waited.pass();
        ended.set(true);
      }, variable).with(FunctionProperty.COPY_TO_GPU).on(place));
      engine.waitForVariable(variable);
      assertThat(ended).isTrue();
    }
  }

  @Test
  void aReaderAndAWriterOfDifferentDevicesKeepTheirOrder() {
    Variable variable = variable("x");
    List<FunctionProperty> properties = List.of(FunctionProperty.NORMAL, FunctionProperty.COPY_FROM_GPU,
      FunctionProperty.CPU_PRIORITIZED, FunctionProperty.GPU_PRIORITIZED, FunctionProperty.NO_SKIP);
    var value = new int[1];
    for (int i = 0; i < 2000; i++) {
      ExecutionPlace place = i % 3 == 0 ? ExecutionPlace.cpu(i % 2) : ExecutionPlace.gpu(i % 2);
      FunctionProperty property = properties.get(i % properties.size());
      engine.push(write("add", () -> value[0]++, variable).on(place).with(property));
    }
    engine.waitForVariable(variable);
    assertThat(value[0]).isEqualTo(2000);
  }

  /** The upstream defect of the event pool: after 64 other ends, a wait no longer covered the older work. */
  @Test
  void olderWorkOfAnotherThreadIsNotForgottenAfterManyEnds() {
    // One thread takes the long kernel, so that one is left for all the others, in the order in which they get ready.
    try (Engine narrow = Engine.open(options().withThreads(new EngineOptions.Threads(1, 1, 1, 1, 2)))) {
      Variable a = narrow.newVariable("a");
      Variable b = narrow.newVariable("b");
      Variable c = narrow.newVariable("c");
      var gate = new CountDownLatch(isNaive() ? 0 : 1);
      var hasRead = new AtomicBoolean();
      narrow.push(write("long kernel", () -> await(gate), a).on(ExecutionPlace.gpu(0)));
      for (int i = 0; i < 500; i++) {
        narrow.push(write("short", () -> {}, b).on(ExecutionPlace.gpu(1)));
      }
      narrow.push(Operation.of("read", List.of(a, b), List.of(), () -> hasRead.set(true)).on(ExecutionPlace.gpu(1)));
      narrow.push(Operation.of("behind", List.of(b), List.of(c), () -> {}).on(ExecutionPlace.gpu(1)));
      narrow.waitForVariable(c);
      assertThat(hasRead.get()).as("before what it reads was written").isEqualTo(isNaive());
      gate.countDown();
      narrow.waitForAll();
      assertThat(hasRead).isTrue();
    }
  }

  @Test
  void aVariableTwiceInOneOperationIsRefused() {
    Variable x = variable("x");
    assertThatThrownBy(() -> Footprint.of(List.of(x), List.of(x))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("twice").hasMessageContaining("x");
    assertThatThrownBy(() -> Footprint.of(List.of(), List.of(x, variable("y"), x)))
      .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aVariableReadTwiceIsHarmless() {
    Variable x = variable("x");
    var ran = new AtomicInteger();
    engine.push(Operation.of("read", List.of(x, x), List.of(), ran::incrementAndGet));
    engine.push(write("write", ran::incrementAndGet, x));
    awaitAll();
    assertThat(ran).hasValue(2);
  }

  @Test
  void anOperationMayBePushedAgainBeforeItHasEnded() {
    Variable variable = variable("x");
    var count = new int[1];
    Operation operation = write("count", () -> count[0]++, variable);
    for (int i = 0; i < 1000; i++) {
      engine.push(operation);
    }
    engine.waitForVariable(variable);
    assertThat(count[0]).isEqualTo(1000);
  }

  @Test
  void anUnknownDeviceIsRefusedAtThePush() {
    Operation onGpu = write("x", () -> {}, variable("x")).on(ExecutionPlace.gpu(2));
    assertThatThrownBy(() -> engine.push(onGpu)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("gpu2").hasMessageContaining("devices=2");
    assertThatThrownBy(() -> engine.push(onGpu.on(ExecutionPlace.cpu(2)))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ExecutionPlace.gpu(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void normalOperationsThatAreReadyRunInTheOrderPushedWhateverTheirPriority() {
    assertThat(runWithPriorities(FunctionProperty.NORMAL, ExecutionPlace.CPU)).containsExactly(0, 1, 2, 3, 4);
  }

  /** "b" gets ready when "a" ends: by then "c" has been ready for long. */
  @Test
  void anOperationThatGetsReadyLaterRunsBeforeThoseThatWerePushedAfterIt() {
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    try (Engine narrow = Engine.open(options().withThreads(new EngineOptions.Threads(1, 1, 1, 1, 1)))) {
      Variable x = narrow.newVariable("x");
      Variable y = narrow.newVariable("y");
      var gate = new CountDownLatch(isNaive() ? 0 : 1);
      narrow.push(Operation.of("gate", Footprint.NONE, () -> await(gate)));
      narrow.push(write("a", () -> ran.add("a"), x));
      narrow.push(Operation.of("b", List.of(x), List.of(y), () -> ran.add("b")));
      narrow.push(write("c", () -> ran.add("c"), narrow.newVariable("z")));
      narrow.deleteVariable(y, () -> ran.add("delete y"));
      narrow.push(write("d", () -> ran.add("d"), narrow.newVariable("v")));
      gate.countDown();
      narrow.waitForAll();
    }
    assertThat(ran).containsExactly(isNaive()
      ? new String[] {"a", "b", "c", "delete y", "d"}
      : new String[] {"a", "b", "delete y", "c", "d"});
  }

  @Test
  void prioritisedOperationsThatAreReadyRunHighestFirstWhereThereIsAThreadForThem() {
    Integer[] expected = kind == Kind.PER_DEVICE ? new Integer[] {4, 3, 2, 1, 0} : new Integer[] {0, 1, 2, 3, 4};
    assertThat(runWithPriorities(FunctionProperty.CPU_PRIORITIZED, ExecutionPlace.CPU)).containsExactly(expected);
    assertThat(runWithPriorities(FunctionProperty.GPU_PRIORITIZED, ExecutionPlace.gpu(0))).containsExactly(expected);
    assertThat(runWithPriorities(FunctionProperty.COPY_FROM_GPU, ExecutionPlace.gpu(0))).containsExactly(expected);
  }

  private List<Integer> runWithPriorities(FunctionProperty property, ExecutionPlace place) {
    var options = options().withThreads(new EngineOptions.Threads(1, 1, 1, 1, 1));
    List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
    try (Engine narrow = Engine.open(options)) {
      var gate = new CountDownLatch(isNaive() ? 0 : 1);
      narrow.push(Operation.of("gate", Footprint.NONE, () -> await(gate)).with(property).on(place).withPriority(100));
      for (int i = 0; i < 5; i++) {
        int number = i;
        narrow
          .push(Operation.of("p" + i, Footprint.NONE, () -> ran.add(number)).with(property).on(place).withPriority(i));
      }
      gate.countDown();
      narrow.waitForAll();
    }
    return ran;
  }

  @Test
  void asynchronousWorkThatIsReadyRunsOnThePusher() {
    var thread = new Thread[1];
    engine.push(Operation.of("start", Footprint.NONE, () -> thread[0] = Thread.currentThread())
      .with(FunctionProperty.ASYNC));
    assertThat(thread[0]).isSameAs(Thread.currentThread());
  }

  @Test
  void pushesOfSeveralThreadsThatShareVariablesNeverBlockEachOther() throws InterruptedException {
    List<Variable> variables = new ArrayList<>();
    int[] counts = new int[5];
    for (int i = 0; i < counts.length; i++) {
      variables.add(variable("v" + i));
    }
    List<Thread> pushers = new ArrayList<>();
    for (int p = 0; p < 4; p++) {
      List<Variable> order = new ArrayList<>(variables);
      Collections.rotate(order, p);
      Operation all = Operation.of("all", List.of(), order, () -> {
        for (int i = 0; i < counts.length; i++) {
          counts[i]++;
        }
      });
      pushers.add(Thread.ofPlatform().start(() -> {
        for (int i = 0; i < 500; i++) {
          engine.push(all);
        }
      }));
      if (isNaive()) {
        // Whose callers keep apart what touches the same.
        pushers.getLast().join();
      }
    }
    for (Thread pusher : pushers) {
      pusher.join();
    }
    awaitAll();
    assertThat(counts).containsOnly(2000);
  }

  @Test
  void anOperationMayPushOthers() {
    Variable x = variable("x");
    var ran = new AtomicInteger();
    engine.push(write("outer", () -> engine.push(read("inner", ran::incrementAndGet, variable("y"))), x));
    awaitAll();
    assertThat(ran).hasValue(1);
  }

  @Test
  void emptyFootprintsRun() {
    var ran = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      engine.push(Operation.of("free", Footprint.NONE, ran::incrementAndGet));
    }
    awaitAll();
    assertThat(ran).hasValue(100);
  }

  @Test
  void everySplitOfFiveVariablesIntoReadAndWrittenRuns() {
    List<Variable> five = List.of(variable("a"), variable("b"), variable("c"), variable("d"), variable("e"));
    var ran = new AtomicInteger();
    for (int reads = 0; reads <= 5; reads++) {
      engine.push(Operation.of("split", five.subList(0, reads), five.subList(reads, 5), ran::incrementAndGet));
    }
    awaitAll();
    assertThat(ran).hasValue(6);
    assertThat(five.stream().map(Variable::version)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }
}
