package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  /** The stop waits for the operation, this for its helper, and the helper starts the engine. */
  @Test
  void anEngineStartedByAThreadThatAnOperationWaitsForStops() throws InterruptedException {
    Variable other = variable("other");
    var running = new CountDownLatch(1);
    Thread pusher = daemon(() -> engine.push(write("waits for its helper", () -> {
      running.countDown();
      Thread helper = daemon(() -> {
        while (catchThrowable(() -> engine.push(read("until the stop has begun", () -> {}, other))) == null) {
          Thread.onSpinWait();
        }
        engine.start();
      });
      join(helper);
    }, variable("a"))));
    await(running);
    Thread stopper = daemon(engine::stop);
    stopper.join(LONG);
    assertThat(stopper.isAlive()).isFalse();
    pusher.join();
    engine.start();
    engine.push(read("runs", () -> {}, other));
    awaitAll();
  }

  private static void join(Thread thread) {
    try {
      thread.join(LONG);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Deletes from many threads beside stops and starts: each runs once, whatever state it meets. */
  @Test
  void deletesBesideStopsAndStartsRunOnce() throws InterruptedException {
    int threads = 4;
    int deletes = 300;
    var ran = new AtomicInteger();
    var left = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      daemon(() -> {
        for (int i = 0; i < deletes; i++) {
          engine.deleteVariable(variable("v"), ran::incrementAndGet);
        }
        left.countDown();
      });
    }
    while (left.getCount() != 0) {
      engine.stop();
      engine.start();
    }
    engine.stop();
    assertThat(ran).hasValue(threads * deletes);
  }

  /**
   * One thread pushes while another deletes. A push runs or is refused at once; what a thread holds back runs before
   * the delete. Nothing touches what the delete has given back, and nothing fails later.
   */
  @Test
  void aPushBesideADeleteOfAnotherThreadRunsOrIsRefused() throws Exception {
    var random = new SplittableRandom(3);
    int refusals = 0;
    try (var deleter = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < 4000; round++) {
        Variable goes = variable("goes");
        Variable stays = variable("stays");
        var isFreed = new AtomicBoolean();
        var touchedFreed = new AtomicBoolean();
        var runs = new AtomicInteger();
        Operation touches = Operation.of("touches", Footprint.of(List.of(stays), List.of(goes)), () -> {
          touchedFreed.set(isFreed.get());
          runs.incrementAndGet();
        });
        boolean bulk = round % 2 == 0;
        int before = bulk ? engine.bulkSize(8) : 0;
        int spins = random.nextInt(400);
        Future<?> deleted = deleter.submit(() -> {
          spin(spins);
          engine.deleteVariable(goes, () -> isFreed.set(true));
        });
        spin(random.nextInt(400));
        if (isNaive()) {
          // Its threads touch different variables at a time.
          deleted.get();
        }
        Throwable refused = catchThrowable(() -> engine.push(touches));
        Throwable second = catchThrowable(() -> engine.pushShort("short", Footprint.of(List.of(stays), List.of(goes)),
          () -> {
            touchedFreed.compareAndSet(false, isFreed.get());
            runs.incrementAndGet();
          }));
        if (bulk) {
          engine.bulkSize(before);
        }
        deleted.get();
        awaitAll();
        for (Throwable refusal : Arrays.asList(refused, second)) {
          if (refusal != null) {
            refusals++;
            assertThat(refusal).isInstanceOf(IllegalStateException.class).hasMessageContaining("a deleted variable");
          }
        }
        assertThat(second == null && refused != null).as("the earlier one alone was refused").isFalse();
        assertThat(runs).hasValue((refused == null ? 1 : 0) + (second == null ? 1 : 0));
        assertThat(touchedFreed).as("round %d", round).isFalse();
        assertThat(isFreed).isTrue();
      }
    }
    assertThat(refusals).isPositive();
  }

  private static void spin(int turns) {
    for (int i = 0; i < turns; i++) {
      Thread.onSpinWait();
    }
  }

  /** The naive engine holds nothing back. */
  @Test
  void aDeleteOfAnotherThreadComesAfterWhatIsHeldBack() throws InterruptedException {
    Variable gone = variable("gone");
    Variable stays = variable("stays");
    var ran = new ArrayList<String>();
    engine.bulkSize(10);
    engine.push(write("first", () -> ran.add("first"), stays));
    engine.push(copy(gone, stays, () -> ran.add("second")));
    daemon(() -> {
      engine.deleteVariable(gone, () -> ran.add("delete"));
      engine.waitForVariable(gone);
    }).join();
    assertThatThrownBy(() -> engine.push(copy(gone, stays, () -> ran.add("late")))).isInstanceOf(
      IllegalStateException.class).hasMessageContaining("a deleted variable");
    engine.bulkSize(0);
    awaitAll();
    assertThat(ran).containsExactly("first", "second", "delete");
  }

  /** The same where it is the only one held. */
  @Test
  void oneThatIsHeldBackAloneRunsBeforeTheDeleteOfAnotherThread() throws InterruptedException {
    Variable gone = variable("gone");
    var ran = new ArrayList<String>();
    engine.bulkSize(10);
    engine.push(write("alone", () -> ran.add("alone"), gone));
    daemon(() -> engine.deleteVariable(gone, () -> ran.add("delete"))).join();
    engine.bulkSize(0);
    awaitAll();
    assertThat(ran).containsExactly("alone", "delete");
  }

  /** What a thread holds back can never run then. */
  @Test
  void aDeleteDoesNotWaitForWhatIsHeldBackWhereTheEngineIsClosed() throws InterruptedException {
    Variable gone = variable("gone");
    Variable later = variable("later");
    var ran = new ArrayList<String>();
    engine.bulkSize(10);
    engine.push(write("held", () -> ran.add("held"), gone, later));
    daemon(() -> {
      engine.deleteVariable(gone, () -> ran.add("delete"));
      engine.close();
      engine.deleteVariable(later, () -> ran.add("delete later"));
    }).join();
    Throwable refusal = catchThrowable(() -> engine.bulkSize(0));
    if (isNaive()) {
      assertThat(refusal).isNull();
      assertThat(ran).containsExactly("held", "delete", "delete later");
    } else {
      assertThat(refusal).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
      assertThat(ran).containsExactly("delete", "delete later");
    }
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
