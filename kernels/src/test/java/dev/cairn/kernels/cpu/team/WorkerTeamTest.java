package dev.cairn.kernels.cpu.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.HandedWork;
import dev.cairn.kernels.device.Rethrown;
import dev.cairn.kernels.device.ThreadTeam;
import dev.cairn.testing.GarbageMeter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * <ol>
 * <li>W1: every index of a loop is covered exactly once, by ranges of at least the grain but for the last.
 * <li>W2: when {@code run} returns, all bodies have ended, and what they wrote is seen.
 * <li>W3: a failing body fails its own loop, once, with its own exception, whatever that is; the team stays usable.
 * <li>W4: callers, nested ones too, never wait for one another.
 * <li>W5: closing ends the threads.
 * </ol>
 */
class WorkerTeamTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7})
  void everyIndexOnce(int helpers) {
    try (var team = new WorkerTeam(helpers)) {
      for (int count : new int[] {0, 1, 2, 3, 7, 8, 9, 31, 33, 255, 257, 1000, 4097}) {
        for (long grain : new long[] {-1, 0, 1, 2, 7, 64, 1000, Long.MAX_VALUE}) {
          checkCover(team, count, grain);
        }
      }
    }
  }

  /** There may be no room for the third thread. */
  @Test
  void threadsEndWhenALaterOneCannotBeMade() throws InterruptedException {
    List<Thread> made = new ArrayList<>();
    assertThatThrownBy(() -> new WorkerTeam(3, work -> {
      if (made.size() == 2) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      Thread thread = Thread.ofPlatform().daemon().unstarted(work);
      made.add(thread);
      return thread;
    })).isInstanceOf(OutOfMemoryError.class);
    assertThat(made).hasSize(2);
    for (Thread thread : made) {
      thread.join();
    }
  }

  @Test
  void manyShortLoopsInARow() {
    try (var team = new WorkerTeam(3)) {
      for (int round = 0; round < 3000; round++) {
        checkCover(team, 1 + round % 50, 1);
      }
    }
  }

  @Test
  void negativeCountsHaveNoIndexes() {
    try (var team = new WorkerTeam(1)) {
      team.run(-5, 1, (first, end) -> {
        throw new AssertionError("called: first=%d end=%d".formatted(first, end));
      });
    }
  }

  @Test
  void countsNearTheLargestDoNotOverflow() {
    try (var team = new WorkerTeam(2)) {
      var covered = new AtomicLong();
      team.run(Long.MAX_VALUE, 1, (first, end) -> {
        assertThat(first).isNotNegative().isLessThan(end);
        covered.addAndGet(end - first);
      });
      assertThat(covered.get()).isEqualTo(Long.MAX_VALUE);
    }
  }

  /** Three ranges that wait for one another can only end when three threads run them. */
  @Test
  void allThreadsTakePart() {
    try (var team = new WorkerTeam(2)) {
      for (int round = 0; round < 20; round++) {
        Set<Thread> threads = meet(team, 3);
        assertThat(threads).hasSize(3).contains(Thread.currentThread());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void aFailingBodySurfacesOnceAndTheTeamStaysUsable(int helpers) {
    try (var team = new WorkerTeam(helpers)) {
      for (int round = 0; round < 50; round++) {
        int bad = round;
        assertThatThrownBy(() -> team.run(50, 1, (first, end) -> {
          if (first <= bad && bad < end) {
            throw new IllegalStateException("bad index " + bad);
          }
        })).isInstanceOf(IllegalStateException.class).hasMessage("bad index " + bad).hasNoSuppressedExceptions();
        checkCover(team, 50, 1);
      }
    }
  }

  @Test
  void errorsSurfaceToo() {
    try (var team = new WorkerTeam(2)) {
      assertThatThrownBy(() -> team.run(10, 1, (first, end) -> {
        throw new StackOverflowError("all fail");
      })).isInstanceOf(StackOverflowError.class);
      checkCover(team, 10, 1);
    }
  }

  /** Kotlin and Scala throw checked exceptions that Java does not see. */
  @Test
  void aCheckedExceptionOnAHelperSurfacesAndTheHelperGoesOn() {
    try (var team = new WorkerTeam(1)) {
      Thread caller = Thread.currentThread();
      var helped = new CountDownLatch(1);
      assertThatThrownBy(() -> team.run(2, 1, (first, end) -> {
        if (caller.equals(Thread.currentThread())) {
          await(helped);
        } else {
          helped.countDown();
          throw Rethrown.asItIs(new IOException("of the helper"));
        }
      })).isInstanceOf(IOException.class).hasMessage("of the helper");
      assertThat(meet(team, 2)).hasSize(2);
    }
  }

  /** A helper may still write into the loop's tensors, which another kernel gets when the caller returns. */
  @Test
  void aCheckedExceptionOnTheCallerSurfacesWhenHelpersHaveEnded() {
    try (var team = new WorkerTeam(1)) {
      Thread caller = Thread.currentThread();
      var helped = new CountDownLatch(1);
      var thrown = new CountDownLatch(1);
      var ended = new AtomicBoolean();
      assertThatThrownBy(() -> team.run(2, 1, (first, end) -> {
        if (caller.equals(Thread.currentThread())) {
          await(helped);
          thrown.countDown();
          throw Rethrown.asItIs(new IOException("of the caller"));
        }
        helped.countDown();
        await(thrown);
        // This gives the caller time to leave too early.
        for (int i = 0; i < 10_000; i++) {
          Thread.yield();
        }
        ended.set(true);
      })).isInstanceOf(IOException.class).hasMessage("of the caller");
      assertThat(ended).isTrue();
      checkCover(team, 10, 1);
    }
  }

  /** A full heap must not stop a thread between two ranges, so nothing is allocated there. */
  @Test
  void takingRangesMakesNoObjects() {
    CpuStream.RangeBody nothing = (first, end) -> {};
    Loop[] loops = Stream.generate(() -> Loop.of(40, 1, 2, nothing)).limit(1000).toArray(Loop[]::new);
    int[] next = new int[1];
    assertThat(GarbageMeter.leastBytes(() -> {
      loops[next[0]++].help();
      loops[next[0]++].runOnCaller();
    })).isZero();
  }

  /** A caller that does not spin sleeps until its last helper is ready, although it was interrupted before. */
  @Test
  void aSleepingCallerIsWokenByItsLastHelper() throws InterruptedException {
    for (boolean interrupted : new boolean[] {false, true}) {
      Thread caller = Thread.currentThread();
      var taken = new CountDownLatch(1);
      var ended = new AtomicBoolean();
      var loop = new Loop(0, 2, 1, (first, end) -> {
        if (!caller.equals(Thread.currentThread())) {
          taken.countDown();
          awaitSleepOf(caller);
          ended.set(true);
        }
      });
      Thread helper = Thread.ofPlatform().start(loop::help);
      while (taken.getCount() > 0) {
        Thread.onSpinWait(); // not asleep, since the helper waits until this thread is
      }
      loop.runOnCaller();
      if (interrupted) {
        caller.interrupt();
      }
      loop.awaitHelpers();
      assertThat(ended).isTrue();
      assertThat(Thread.interrupted()).isEqualTo(interrupted);
      helper.join();
    }
  }

  private static void awaitSleepOf(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  /** The same on a library's threads. */
  @Test
  void aCheckedExceptionOnAThreadOfALibrarySurfaces() {
    ThreadTeam library = part -> {
      var other = new HandedWork(part);
      Thread.ofPlatform().start(other);
      other.await();
    };
    try (var device = new CpuDevice(2, Optional.of(library))) {
      assertThatThrownBy(() -> device.defaultStream().parallel(10, 1, (first, end) -> {
        throw Rethrown.asItIs(new IOException("of a range"));
      })).isInstanceOf(IOException.class).hasMessage("of a range");
      var sum = new AtomicLong();
      device.defaultStream().parallel(10, 1, (first, end) -> sum.addAndGet(end - first));
      assertThat(sum).hasValue(10);
    }
  }

  @Test
  void concurrentCallersDoNotWaitForOneAnother() throws InterruptedException {
    try (var team = new WorkerTeam(2)) {
      var failures = new AtomicInteger();
      var callers = new Thread[4];
      for (int i = 0; i < callers.length; i++) {
        int count = 100 + i;
        callers[i] = Thread.ofPlatform().start(() -> {
          try {
            for (int round = 0; round < 300; round++) {
              checkCover(team, count, 1);
            }
          } catch (AssertionError e) {
            failures.incrementAndGet();
          }
        });
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(failures).hasValue(0);
    }
  }

  /** While one caller's loop holds the team, another caller's runs to its end on that caller alone. */
  @Test
  void aBusyTeamLeavesTheSecondCallerToItself() throws InterruptedException {
    try (var team = new WorkerTeam(1)) {
      var entered = new CountDownLatch(2);
      var release = new CountDownLatch(1);
      Thread holder = Thread.ofPlatform().start(() -> team.run(2, 1, (first, end) -> {
        entered.countDown();
        await(release);
      }));
      await(entered);
      Set<Thread> threads = ConcurrentHashMap.newKeySet();
      team.run(100, 1, (first, end) -> threads.add(Thread.currentThread()));
      assertThat(threads).containsExactly(Thread.currentThread());
      release.countDown();
      holder.join();
    }
  }

  @Test
  void nestedLoopsRunToTheirEnd() {
    try (var team = new WorkerTeam(3)) {
      for (int round = 0; round < 200; round++) {
        var hits = new AtomicIntegerArray(40 * 30);
        team.run(40, 1, (first, end) -> {
          for (long i = first; i < end; i++) {
            long row = i;
            team.run(30, 1, (from, to) -> {
              for (long j = from; j < to; j++) {
                hits.incrementAndGet((int) (row * 30 + j));
              }
            });
          }
        });
        checkOnes(hits);
      }
    }
  }

  /** A loop that is begun while the team is in another one runs on the thread that began it. */
  @Test
  void aNestedLoopRunsInline() {
    try (var team = new WorkerTeam(2)) {
      var entered = new CountDownLatch(3);
      var nestedEnded = new CountDownLatch(1);
      Set<Thread> threads = ConcurrentHashMap.newKeySet();
      var outer = new Thread[1];
      team.run(3, 1, (first, end) -> {
        entered.countDown();
        await(entered);
        if (first == 0) {
          outer[0] = Thread.currentThread();
          team.run(64, 1, (from, to) -> threads.add(Thread.currentThread()));
          nestedEnded.countDown();
        }
        await(nestedEnded);
      });
      assertThat(threads).containsExactly(outer[0]);
    }
  }

  @Test
  void closingEndsTheThreadsButNotTheCallersLoops() throws InterruptedException {
    var team = new WorkerTeam(2);
    Set<Thread> threads = meet(team, 3);
    team.close();
    for (Thread thread : threads) {
      if (!thread.equals(Thread.currentThread())) {
        thread.join();
      }
    }
    checkCover(team, 100, 1);
    team.close();
  }

  private static Set<Thread> meet(WorkerTeam team, int count) {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    var here = new CountDownLatch(count);
    team.run(count, 1, (first, end) -> {
      threads.add(Thread.currentThread());
      here.countDown();
      await(here);
    });
    return threads;
  }

  private static void checkCover(WorkerTeam team, int count, long grain) {
    // Plain ints, so that the team alone makes another thread's writes visible.
    int[] written = new int[count];
    var hits = new AtomicIntegerArray(count);
    team.run(count, grain, (first, end) -> {
      assertThat(end == count || end - first >= grain).as("range [%d, %d) grain=%d", first, end, grain).isTrue();
      for (long i = first; i < end; i++) {
        hits.incrementAndGet((int) i);
        written[(int) i] = (int) i + 1;
      }
    });
    checkOnes(hits);
    for (int i = 0; i < count; i++) {
      assertThat(written[i]).isEqualTo(i + 1);
    }
  }

  private static void checkOnes(AtomicIntegerArray hits) {
    for (int i = 0; i < hits.length(); i++) {
      if (hits.get(i) != 1) {
        throw new AssertionError("index covered %d times: index=%d".formatted(hits.get(i), i));
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
