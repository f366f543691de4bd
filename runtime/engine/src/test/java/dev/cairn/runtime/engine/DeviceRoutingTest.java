package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.EngineOptions.Kind;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On whose threads each kind of work runs, on each place. */
class DeviceRoutingTest {
  private static final List<ExecutionPlace> PLACES = List.of(ExecutionPlace.CPU, ExecutionPlace.cpu(1), ExecutionPlace
    .gpu(0), ExecutionPlace.gpu(1));

  private static EngineOptions options(Kind kind) {
    return EngineOptions.DEFAULT.withKind(kind).withCpus(2).withGpus(2);
  }

  private static boolean isCopy(FunctionProperty property) {
    return property == FunctionProperty.COPY_FROM_GPU || property == FunctionProperty.COPY_TO_GPU;
  }

  /** The names of the threads of its group begin like that, before the number of the thread. */
  private static String group(Kind kind, FunctionProperty property, ExecutionPlace place) {
    if (kind == Kind.POOLED) {
      return isCopy(property) ? "cairn-copy-" : "cairn-pool-";
    }
    if (place.kind() == ExecutionPlace.Kind.CPU) {
      return property == FunctionProperty.CPU_PRIORITIZED ? "cairn-cpu-prioritized-" : "cairn-" + place + "-";
    }
    String kindOfWork = isCopy(property)
      ? "copy-"
      : property == FunctionProperty.GPU_PRIORITIZED ? "prioritized-" : "";
    return "cairn-" + place + "-" + kindOfWork;
  }

  /** It waits for an earlier operation, so that it is not ready when it is pushed: its pusher does not run it. */
  @ParameterizedTest
  @EnumSource(names = "NAIVE", mode = EnumSource.Mode.EXCLUDE)
  void whatIsNotReadyRunsOnTheThreadsOfItsGroup(Kind kind) {
    try (Engine engine = Engine.open(options(kind))) {
      for (ExecutionPlace place : PLACES) {
        for (FunctionProperty property : FunctionProperty.values()) {
          Variable x = engine.newVariable("x");
          var pushed = new CountDownLatch(1);
          var thread = new CompletableFuture<String>();
          engine.push(Operation.of("before", Footprint.writing(x), () -> EngineContract.await(pushed)));
          engine.push(Operation.of("asked", Footprint.writing(x), () -> thread.complete(Thread.currentThread()
            .getName())).with(property).on(place));
          pushed.countDown();
          assertThat(thread.join()).as("%s on %s", property, place).startsWith(group(kind, property, place))
            .matches(".*\\D\\d+");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NAIVE", mode = EnumSource.Mode.EXCLUDE)
  void whatOnlyStartsSomethingRunsOnItsPusherAndDeletesDoWhereEachDeviceHasThreads(Kind kind) {
    try (Engine engine = Engine.open(options(kind))) {
      for (ExecutionPlace place : PLACES) {
        for (FunctionProperty property : FunctionProperty.values()) {
          var thread = new CompletableFuture<Thread>();
          engine.push(Operation.of("asked", Footprint.NONE, () -> thread.complete(Thread.currentThread())).with(
            property).on(place));
          boolean isOnPusher = property == FunctionProperty.ASYNC || (property == FunctionProperty.DELETE
            && kind == Kind.PER_DEVICE);
          assertThat(thread.join().equals(Thread.currentThread())).as("%s on %s", property, place)
            .isEqualTo(isOnPusher);
        }
      }
    }
  }
}
