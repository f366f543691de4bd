package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.testing.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Work that misuses its engine: nothing hangs, nothing is lost. */
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
    Variable other = variable("other");
    Gate waited = openedByAWait();
    Thread stopper = daemon(() -> {
      await(running);
      engine.stop();
    });
    engine.push(write("starts", () -> {
      running.countDown();
      onAnotherThread(() -> awaitStop(waited, other));
      engine.start();
    }, variable("a")));
    stopper.join();
    engine.start();
    awaitAll();
  }

  @Test
  void asynchronousWorkThatAStopWaitsForMayDelete() throws InterruptedException {
    Variable temporary = variable("temporary");
    Variable other = variable("other");
    var running = new CountDownLatch(1);
    var deleted = new AtomicBoolean();
    Gate waited = openedByAWait();
    Runnable ending = () -> {
      running.countDown();
      awaitStop(waited, other);
      engine.deleteVariable(temporary, () -> deleted.set(true));
    };
    Thread pusher = daemon(() -> engine.push(Operation.async("async", Footprint.NONE, completion -> daemon(() -> {
      ending.run();
      completion.complete();
    }))));
    await(running);
    engine.stop();
    assertThat(deleted).isTrue();
    pusher.join();
  }

  /** The stop waits for the operation, this for its helper, and the helper starts the engine. */
  @Test
  void anEngineStartedByAThreadThatAnOperationWaitsForStops() throws InterruptedException {
    Variable other = variable("other");
    var running = new CountDownLatch(1);
    Gate waited = openedByAWait();
    Thread pusher = daemon(() -> engine.push(write("waits for its helper", () -> {
      running.countDown();
      onAnotherThread(() -> {
        awaitStop(waited, other);
        engine.start();
      });
    }, variable("a"))));
    await(running);
    engine.stop();
    pusher.join();
    engine.start();
    engine.push(read("runs", () -> {}, other));
    awaitAll();
  }

  /** The stop does not wait for such a delete, and the engine has not stopped yet: the delete waits for the stop. */
  @Test
  void aDeleteThatFindsTheEngineBetweenItsLastOperationAndItsStopRuns() throws InterruptedException {
    if (isNaive()) {
      return;
    }
    Variable a = variable("a");
    engine.push(write("makes the threads", () -> {}, variable("b")));
    var ran = new AtomicInteger();
    var deleter = new Thread(() -> engine.deleteVariable(a, ExecutionPlace.gpu(1), ran::incrementAndGet));
    routing().onStop(() -> {
      deleter.start();
      // There it looks again and again whether the engine has stopped.
      while (deleter.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    });
    engine.stop();
    deleter.join();
    assertThat(ran).hasValue(1);
  }

  /** Deletes from many threads beside stops and starts: each runs once, whatever state it meets. */
  @Test
  void deletesBesideStopsAndStartsRunOnce() throws InterruptedException {
    deletesBesideStopsAndStartsRunOnce(20);
  }

  @Test
  @Tag("soak")
  void manyDeletesBesideStopsAndStartsRunOnce() throws InterruptedException {
    deletesBesideStopsAndStartsRunOnce(3_000);
  }

  private void deletesBesideStopsAndStartsRunOnce(int deletes) throws InterruptedException {
    int threads = 4;
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

  /** Two pushes that read one variable and write another, which a thread deletes: what ran, and what was refused. */
  private final class PushesBesideADelete {
    private final Variable goes = variable("goes");
    private final Variable stays = variable("stays");
    private final AtomicBoolean isFreed = new AtomicBoolean();
    private final AtomicBoolean touchedFreed = new AtomicBoolean();
    private final AtomicInteger runs = new AtomicInteger();
    private int refusals;

    void delete() {
      engine.deleteVariable(goes, () -> isFreed.set(true));
    }

    private void touch() {
      if (isFreed.get()) {
        touchedFreed.set(true);
      }
      runs.incrementAndGet();
    }

    void push() {
      note(catchThrowable(() -> engine.push(Operation.of("touches", Footprint.of(List.of(stays), List.of(goes)),
        this::touch))));
    }

    void pushShort() {
      note(catchThrowable(
        () -> engine.push(Operation.brief("short", Footprint.of(List.of(stays), List.of(goes)), this::touch))));
    }

    private void note(@Nullable Throwable refusal) {
      if (refusal == null) {
        assertThat(refusals).as("the earlier one alone was refused").isZero();
      } else {
        refusals++;
        assertThat(refusal).isInstanceOf(IllegalStateException.class).hasMessageContaining("a deleted variable");
      }
    }

    /** What was pushed has run, nothing else has, and none after the delete. */
    void check() {
      awaitAll();
      assertThat(runs).hasValue(2 - refusals);
      assertThat(touchedFreed).isFalse();
      assertThat(isFreed).isTrue();
    }
  }

  /**
   * One thread pushes while another deletes. A push runs or is refused at once; what a thread holds back runs before
   * the delete. Nothing touches what the delete has given back, and nothing fails later.
   */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 8", "1, 0", "1, 8", "2, 0", "2, 8"})
  void aPushBesideADeleteOfAnotherThreadRunsOrIsRefused(int pushesBefore, int bulk) {
    var pushes = new PushesBesideADelete();
    engine.bulkSize(bulk);
    for (int i = 0; i <= 2; i++) {
      if (i == pushesBefore) {
        onAnotherThread(pushes::delete);
      }
      if (i == 0) {
        pushes.push();
      } else if (i == 1) {
        pushes.pushShort();
      }
    }
    engine.bulkSize(0);
    pushes.check();
    assertThat(pushes.refusals).isEqualTo(2 - pushesBefore);
  }

  @Test
  @Tag("soak")
  void pushesBesideDeletesOfAnotherThreadRunOrAreRefused() throws Exception {
    var random = new SplittableRandom(3);
    try (var deleter = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < 4000; round++) {
        var pushes = new PushesBesideADelete();
        int before = round % 2 == 0 ? engine.bulkSize(8) : 0;
        int spins = random.nextInt(400);
        Future<?> deleted = deleter.submit(() -> {
          spin(spins);
          pushes.delete();
        });
        spin(random.nextInt(400));
        if (isNaive()) {
          // Its threads touch different variables at a time.
          deleted.get();
        }
        pushes.push();
        pushes.pushShort();
        if (round % 2 == 0) {
          engine.bulkSize(before);
        }
        deleted.get();
        pushes.check();
      }
    }
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
