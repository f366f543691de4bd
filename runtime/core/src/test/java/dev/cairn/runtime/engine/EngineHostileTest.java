package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Work that does to its engine what nobody should: nothing hangs, nothing is lost. */
class EngineHostileTest extends EngineContract {
  @Test
  void anInterruptThatAnOperationLeavesBehindReachesNoOtherOne() {
    var reached = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      engine.push(write("leaves", () -> Thread.currentThread().interrupt(), variable("a")));
      engine.push(write("hears", () -> reached.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0), variable(
        "b")));
    }
    awaitAll();
    if (isNaive()) {
      assertThat(Thread.interrupted()).as("the pusher's own thread, and its own interrupt").isTrue();
    } else {
      assertThat(reached).hasValue(0);
    }
  }

  @Test
  void anEngineStartedInsideAnOperationThatAStopWaitsForStops() throws InterruptedException {
    var running = new CountDownLatch(1);
    var stopper = new Thread(() -> {
      await(running);
      engine.stop();
    });
    stopper.setDaemon(true);
    stopper.start();
    engine.push(write("starts", () -> {
      running.countDown();
      sleepMillis(20);
      engine.start();
    }, variable("a")));
    stopper.join(LONG);
    assertThat(stopper.isAlive()).isFalse();
    engine.start();
    awaitAll();
  }

  @Test
  void asynchronousWorkThatAStopWaitsForMayDelete() throws InterruptedException {
    Variable temporary = variable("temporary");
    Variable other = variable("other");
    var running = new CountDownLatch(1);
    var deleted = new AtomicBoolean();
    Runnable ending = () -> {
      running.countDown();
      while (catchThrowable(() -> engine.push(read("until the stop has begun", () -> {}, other))) == null) {
        Thread.onSpinWait();
      }
      engine.deleteVariable(temporary, () -> deleted.set(true));
    };
    Thread pusher = daemon(() -> engine.pushAsync("async", Footprint.NONE, completion -> daemon(() -> {
      ending.run();
      completion.complete();
    })));
    await(running);
    Thread stopper = daemon(engine::stop);
    stopper.join(LONG);
    assertThat(stopper.isAlive()).isFalse();
    assertThat(deleted).isTrue();
    pusher.join();
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void aBulkOfAnySizeTakesRoomForWhatItHolds() {
    assertThat(engine.bulkSize(Integer.MAX_VALUE)).isZero();
    Variable a = variable("a");
    var count = new AtomicInteger();
    for (int i = 0; i < 1000; i++) {
      engine.push(write("count", count::incrementAndGet, a));
    }
    assertThat(engine.bulkSize(0)).isEqualTo(Integer.MAX_VALUE);
    awaitAll();
    assertThat(count).hasValue(1000);
  }

  /** Another thread stops the engine while this one holds operations back. */
  @Test
  void aDeleteRunsAlthoughWhatWasHeldBackIsRefused() throws InterruptedException {
    Variable a = variable("a");
    var deleted = new AtomicBoolean();
    var ran = new AtomicBoolean();
    engine.bulkSize(10);
    engine.push(write("held", () -> ran.set(true), a));
    var stopper = new Thread(engine::stop);
    stopper.start();
    stopper.join();
    Throwable refusal = catchThrowable(() -> engine.deleteVariable(a, () -> deleted.set(true)));
    assertThat(deleted).isTrue();
    if (isNaive()) {
      assertThat(refusal).isNull();
      assertThat(ran).isTrue();
    } else {
      assertThat(refusal).isInstanceOf(IllegalStateException.class).hasMessageContaining("stopped");
      assertThat(ran).isFalse();
    }
  }

  @Test
  void anEngineClosesAlthoughWhatWasHeldBackIsRefused() throws InterruptedException {
    engine.bulkSize(10);
    engine.push(write("held", () -> {}, variable("a")));
    var stopper = new Thread(engine::stop);
    stopper.start();
    stopper.join();
    Throwable refusal = catchThrowable(engine::close);
    assertThat(refusal == null).isEqualTo(isNaive());
    assertThatThrownBy(engine::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
  }

  @Test
  void anOperationIsDeletedAfterItsVariablesAndAfterAStop() {
    Variable a = variable("a");
    Variable b = variable("b");
    Operation first = write("first", () -> {}, a, b);
    Operation second = write("second", () -> {}, b);
    var deletes = new ArrayList<String>();
    engine.push(first);
    engine.deleteVariable(a, () -> {});
    engine.deleteOperation(first, () -> deletes.add("first"));
    awaitAll();
    engine.stop();
    engine.deleteOperation(second, () -> deletes.add("second"));
    assertThat(deletes).containsExactly("first", "second");
  }

  /** Who wants it to wait gives the operation a variable. */
  @Test
  void theDeleteOfAnOperationThatTouchesNothingWaitsForNothing() {
    var deleted = new CountDownLatch(isNaive() ? 0 : 1);
    Operation operation = Operation.of("waits for its delete", Footprint.NONE, () -> await(deleted));
    engine.push(operation);
    engine.deleteOperation(operation, deleted::countDown);
    awaitAll();
    assertThat(deleted.getCount()).isZero();
  }
}
