package dev.cairn.kernels.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** When threads count as crowded: the clock and the scheduler's counts are the test's. */
class ProcessorWaitsTest {
  private static final int USUAL = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final List<Count> counts = new ArrayList<>();
  private final ProcessorWaits waits = new ProcessorWaits(clock, () -> {
    var made = new Count();
    counts.add(made);
    return Optional.of(made);
  });

  private static final class Count implements ProcessorWaits.Counter {
    private ThreadTimes times = new ThreadTimes(70, 80, 9);
    private int reads;
    private boolean hasEnded;
    private boolean isClosed;

    @Override
    public Optional<ThreadTimes> read() {
      reads++;
      return hasEnded ? Optional.empty() : Optional.of(times);
    }

    @Override
    public void close() {
      isClosed = true;
    }

    void pass(long ranMicros, long waitedMicros, long turns) {
      times = times.plus(new ThreadTimes(ranMicros * 1_000, waitedMicros * 1_000, turns));
    }
  }

  private void join(int threads) throws InterruptedException {
    for (int i = 0; i < threads; i++) {
      Thread thread = Thread.ofPlatform().start(waits::join);
      thread.join();
    }
  }

  private static boolean isCrowded(ProcessorWaits waits) {
    return waits.spins(USUAL) < USUAL;
  }

  private void lookAfter(int millis) {
    clock.advance(Duration.ofMillis(millis));
    waits.look();
  }

  @Test
  void threadsThatRunAreNotCrowded() throws InterruptedException {
    join(2);
    counts.forEach(it -> it.pass(9_000, 300, 1));
    lookAfter(10);
    assertThat(isCrowded(waits)).isFalse();
    assertThat(waits.spins(USUAL)).isEqualTo(USUAL);
  }

  @Test
  void threadsThatWaitAnEighthOfTheirTimeAreCrowded() throws InterruptedException {
    join(2);
    counts.get(0).pass(9_000, 0, 1);
    counts.get(1).pass(5_000, 2_000, 2);
    lookAfter(10);
    assertThat(isCrowded(waits)).isTrue();
    assertThat(waits.spins(USUAL)).isZero();
  }

  /** On an idle machine, threads that sleep often wait some microseconds each time, and do little else. */
  @Test
  void manyShortWaitsAreNoCrowd() throws InterruptedException {
    join(1);
    counts.get(0).pass(1_000, 3_000, 100);
    lookAfter(10);
    assertThat(isCrowded(waits)).isFalse();
  }

  @Test
  void threadsStayCrowdedForAWhile() throws InterruptedException {
    join(1);
    counts.get(0).pass(1_000, 9_000, 3);
    lookAfter(10);
    lookAfter(60);
    assertThat(isCrowded(waits)).isTrue();
    lookAfter(60);
    assertThat(isCrowded(waits)).isFalse();
  }

  /** Threads that sleep often get short turns, and wait less for each than threads that spin. */
  @Test
  void crowdedThreadsStaySoWithShorterWaits() throws InterruptedException {
    join(1);
    counts.get(0).pass(1_000, 9_000, 3);
    lookAfter(10);
    counts.get(0).pass(1_000, 3_000, 100);
    lookAfter(120);
    assertThat(isCrowded(waits)).isTrue();
    counts.get(0).pass(1_000, 1_000, 100);
    lookAfter(120);
    assertThat(isCrowded(waits)).isFalse();
  }

  /** Each attempt to spin costs milliseconds: so the second comes later. */
  @Test
  void threadsThatAreCrowdedAgainStaySoLonger() throws InterruptedException {
    join(1);
    for (int millis : new int[] {100, 200, 400, 800, 1600, 1600}) {
      counts.get(0).pass(1_000, 9_000, 3);
      lookAfter(10);
      lookAfter(millis - 1);
      assertThat(isCrowded(waits)).as("after %d ms", millis - 1).isTrue();
      lookAfter(5);
      assertThat(isCrowded(waits)).isFalse();
    }
    clock.advance(Duration.ofSeconds(2));
    counts.get(0).pass(1_000, 9_000, 3);
    lookAfter(10);
    lookAfter(100);
    assertThat(isCrowded(waits)).isFalse();
  }

  @Test
  void looksThatFollowOneAnotherReadOnce() throws InterruptedException {
    join(1);
    lookAfter(5);
    int reads = counts.get(0).reads;
    lookAfter(4);
    assertThat(counts.get(0).reads).isEqualTo(reads);
    lookAfter(1);
    assertThat(counts.get(0).reads).isEqualTo(reads + 1);
  }

  @Test
  void oneLookReadsSixteenThreadsAndTheNextTheOthers() throws InterruptedException {
    join(20);
    lookAfter(5);
    assertThat(counts.subList(0, 16)).allMatch(it -> it.reads == 2);
    assertThat(counts.subList(16, 20)).allMatch(it -> it.reads == 1);
    lookAfter(5);
    assertThat(counts.subList(16, 20)).allMatch(it -> it.reads == 2);
  }

  @Test
  void aThreadThatHasEndedIsLeftOut() throws InterruptedException {
    join(3);
    counts.get(1).hasEnded = true;
    counts.get(2).pass(5, 7, 1);
    assertThat(waits.total()).isEqualTo(new ThreadTimes(5_000, 7_000, 1));
    assertThat(counts).extracting(it -> it.isClosed).containsExactly(false, true, false);
    counts.get(0).pass(1, 2, 1);
    assertThat(waits.total()).isEqualTo(new ThreadTimes(6_000, 9_000, 2));
    assertThat(counts.get(1).reads).isEqualTo(2);
  }

  @Test
  void aThreadJoinsOnce() {
    assertThat(waits.hasJoined()).isFalse();
    waits.join();
    waits.join();
    assertThat(waits.hasJoined()).isTrue();
    assertThat(counts).hasSize(1);
  }

  /** A virtual thread has no times of its own. */
  @Test
  void aVirtualThreadIsNotCounted() throws InterruptedException {
    Thread.ofVirtual().start(waits::join).join();
    assertThat(counts).isEmpty();
  }

  @Test
  void withoutCountsThreadsAreNeverCrowded() {
    var uncounted = new ProcessorWaits(clock, Optional::empty);
    uncounted.join();
    clock.advance(Duration.ofSeconds(1));
    uncounted.look();
    assertThat(isCrowded(uncounted)).isFalse();
    assertThat(uncounted.total()).isEqualTo(ThreadTimes.NONE);
  }

  @Test
  void partsOfTheTime() {
    assertThat(new ThreadTimes(30, 10, 1).waitedShare()).isEqualTo(0.25);
    assertThat(ThreadTimes.NONE.waitedShare()).isZero();
    assertThat(new ThreadTimes(30, 10, 4).minus(new ThreadTimes(10, 9, 1))).isEqualTo(new ThreadTimes(20, 1, 3));
  }

  /** The system's file is that of the thread that opened it, whichever thread reads it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void anotherThreadReadsTheTimesOfTheThreadThatJoined() throws IOException, InterruptedException {
    var opened = new CompletableFuture<SchedulerFile>();
    var read = new CompletableFuture<Void>();
    Thread thread = Thread.ofPlatform().start(() -> {
      opened.complete(SchedulerFile.ofThisThread().orElseThrow());
      read.join();
    });
    try (SchedulerFile file = opened.join()) {
      ThreadTimes first = file.read().orElseThrow();
      assertThat(first.turns()).isPositive();
      assertThat(file.read().orElseThrow().ranNanos()).isGreaterThanOrEqualTo(first.ranNanos());
      read.complete(null);
      thread.join();
      awaitEndOfTask(file);
      assertThat(file.read()).isEmpty();
    }
    assertThat(ThreadTimes.parse(Files.readString(Path.of("/proc/self/schedstat"))).ranNanos()).isPositive();
  }

  /** The system removes a thread some time after Java has seen its end. */
  private static void awaitEndOfTask(SchedulerFile file) {
    while (file.read().isPresent()) {
      Thread.onSpinWait();
    }
  }
}
