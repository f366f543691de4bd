package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.AsyncWork;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.worker.IdlePolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The heap has no room to begin an operation that has its places at its variables. It ends all the same: if it did not,
 * the waits below would never end.
 */
class NoRoomTest {
  private final FullDepth depth = new FullDepth();
  private final AtomicInteger ran = new AtomicInteger();

  private Operation write(Variable variable) {
    return Operation.of("write", Footprint.writing(variable), ran::incrementAndGet);
  }

  /** The operation failed, and the next ones run. */
  private void assertFailed(Engine engine, Variable x) {
    OperationFailed failure = catchThrowableOfType(OperationFailed.class, () -> engine.waitForVariable(x));
    assertThat(failure).hasRootCauseInstanceOf(OutOfMemoryError.class);
    engine.waitForAll();
    assertThat(ran).hasValue(0);
    engine.push(write(x).overwriting());
    engine.waitForVariable(x);
    assertThat(ran).hasValue(1);
    assertThat(x.version()).isEqualTo(2);
    assertThat(engine.pending()).isZero();
  }

  @Test
  void anOperationThatItsPusherCannotBeginFails() {
    try (var engine = new ThreadedEngine(EngineOptions.DEFAULT, new DeviceRouting(EngineOptions.DEFAULT), depth)) {
      Variable x = engine.newVariable("x");
      depth.fill();
      AsyncWork work = completion -> {
        ran.incrementAndGet();
        completion.complete();
      };
      engine.push(Operation.async("async", Footprint.writing(x), work).with(FunctionProperty.ASYNC));
      assertFailed(engine, x);
    }
  }

  @Test
  void aDeleteThatItsPusherCannotBeginRuns() {
    try (var engine = new ThreadedEngine(EngineOptions.DEFAULT, new DeviceRouting(EngineOptions.DEFAULT), depth)) {
      depth.fill();
      engine.deleteVariable(engine.newVariable("x"), ran::incrementAndGet);
      assertThat(ran).hasValue(1);
      engine.waitForAll();
    }
  }

  /** The thread for normal work never starts before the waiting thread has tried. */
  @Test
  void anOperationThatAWaitingThreadCannotBeginFails() {
    List<Thread> held = new CopyOnWriteArrayList<>();
    var routing = new LoneWorkers(new IdlePolicy(0, 0), held::add);
    try (var engine = new ThreadedEngine(EngineOptions.DEFAULT, routing, depth)) {
      Variable x = engine.newVariable("x");
      engine.push(write(x));
      depth.fill();
      assertFailed(engine, x);
      held.forEach(Thread::start);
    }
  }

  /** The thread for normal work never starts before this one has pushed. */
  @Test
  void aBriefOperationThatItsPusherCannotBeginFails() {
    List<Thread> held = new CopyOnWriteArrayList<>();
    var routing = new LoneWorkers(new IdlePolicy(0, 0), held::add);
    try (var engine = new ThreadedEngine(EngineOptions.DEFAULT, routing, depth)) {
      Variable x = engine.newVariable("x");
      engine.push(Operation.of("makes the queue", Footprint.NONE, () -> {}));
      engine.waitForAll();
      depth.fill();
      engine.push(Operation.brief("write", Footprint.writing(x), ran::incrementAndGet));
      assertThat(x.version()).isEqualTo(1);
      assertFailed(engine, x);
      held.forEach(Thread::start);
    }
  }

  /** The values of the operation are not computed: a reader would read what was there before. */
  @Test
  void anOperationThatItsStreamCannotBeginFails() {
    try (var device = new CpuDevice(1)) {
      EngineOptions options = EngineOptions.DEFAULT.withDevices(List.of(device));
      try (var engine = new ThreadedEngine(options, new DeviceRouting(options), depth)) {
        Variable x = engine.newVariable("x");
        depth.fill();
        engine.push(Operation.onStream("stream", Footprint.writing(x), ExecutionPlace.gpu(0), _ -> ran
          .incrementAndGet()));
        assertFailed(engine, x);
      }
    }
  }

  @Test
  void theNaiveEngineThrowsAndGoesOn() {
    var engine = new NaiveEngine(EngineOptions.DEFAULT, depth);
    Variable x = engine.newVariable("x");
    depth.fill();
    assertThatThrownBy(() -> engine.push(write(x))).isInstanceOf(OperationFailed.class).hasRootCauseInstanceOf(
      OutOfMemoryError.class);
    assertFailed(engine, x);
    depth.fill();
    engine.deleteVariable(x, ran::incrementAndGet);
    assertThat(ran).hasValue(2);
    // It waits until all has ended.
    engine.close();
  }
}
