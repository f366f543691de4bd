package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.SplitPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** First come, first served, as far as the rule goes. */
@SuppressWarnings("ThreadPriorityCheck") // yields make other interleavings likely
class RetryFairnessTest {
  private static final long UNIT = 256;
  private static final int THREADS = 8;
  private static final RetryOptions PATIENT = RetryOptions.DEFAULT.withTimeLimit(Duration.ofMinutes(5));

  @RegisterExtension
  final Validated validated = new Validated();
  private final List<Worker> workers = new ArrayList<>();

  private RetryingAllocator retrying(long units, RetryOptions options) {
    return new RetryingAllocator(validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 40),
      BfcOptions.DEFAULT.withLimitBytes(units * UNIT).withGrowth(BfcOptions.Growth.WHOLE)
        .withSplit(SplitPolicy.exact()))),
      options);
  }

  private Worker worker(String name, RetryingAllocator allocator) {
    workers.add(new Worker(name, allocator));
    return workers.getLast();
  }

  @AfterEach
  void endWorkers() {
    workers.forEach(Worker::close);
  }

  private static void untilWaiting(RetryingAllocator allocator, int requests) {
    Worker.until(() -> allocator.retryStats().waiting() == requests);
  }

  @Test
  void requestsOfOneClassAreServedInTheOrderInWhichTheyCame() {
    RetryingAllocator allocator = retrying(1, PATIENT);
    Worker holder = worker("holder", allocator);
    Block held = holder.get(UNIT);
    List<Future<Block>> waits = new ArrayList<>();
    List<Worker> asked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      asked.add(worker("w" + i, allocator));
      waits.add(asked.getLast().ask(UNIT));
      untilWaiting(allocator, i + 1);
    }
    for (int i = 0; i < 20; i++) {
      holder.give(held);
      held = Worker.now(waits.get(i));
      holder = asked.get(i);
      assertThat(waits.subList(i + 1, 20)).noneMatch(Future::isDone);
    }
    assertThat(allocator.retryStats().mostOvertaken()).isZero();
  }

  @Test
  void aRequestOfTheSameClassOrALargerOneNeverPassesOneThatCameBefore() {
    RetryingAllocator allocator = retrying(16, PATIENT);
    Worker holder = worker("holder", allocator);
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      held.add(holder.get(UNIT));
    }
    Future<Block> first = worker("first", allocator).ask(7 * UNIT);
    untilWaiting(allocator, 1);
    Future<Block> sameClass = worker("same", allocator).ask(4 * UNIT);
    untilWaiting(allocator, 2);
    Future<Block> larger = worker("larger", allocator).ask(8 * UNIT);
    untilWaiting(allocator, 3);
    for (int i = 0; i < 6; i++) {
      holder.give(held.get(i));
    }
    // Room for the second, which may not have it, and for one of a smaller class, which may.
    Worker small = worker("small", allocator);
    Block passed = small.get(UNIT);
    assertThat(sameClass.isDone()).isFalse();
    small.give(passed);
    holder.give(held.get(6));
    assertThat(Worker.now(first).bytes()).isEqualTo(7 * UNIT);
    assertThat(sameClass.isDone()).isFalse();
    for (int i = 7; i < 16; i++) {
      holder.give(held.get(i));
    }
    assertThat(Worker.now(sameClass).bytes()).isEqualTo(4 * UNIT);
    assertThat(larger.isDone()).isFalse();
  }

  @Test
  void aStreamOfSmallRequestsHoldsALargeOneUpOnlySoOften() {
    RetryingAllocator allocator = retrying(16, PATIENT.withOvertakings(10));
    Worker small = worker("small", allocator);
    Block held = small.get(UNIT);
    Future<Block> large = worker("large", allocator).ask(16 * UNIT);
    untilWaiting(allocator, 1);
    // Never is all of it free at once, as the next is granted before the one before is given back.
    for (int i = 0; i < 10; i++) {
      Block next = small.get(UNIT);
      small.give(held);
      held = next;
    }
    assertThat(allocator.retryStats().mostOvertaken()).isZero();
    Future<Block> oneTooMany = small.ask(UNIT);
    Block last = held;
    // The small one holds what the large one needs, so it must be let pass; but no newcomer is.
    small.give(Worker.now(oneTooMany));
    Future<Block> newcomer = worker("newcomer", allocator).ask(UNIT);
    untilWaiting(allocator, 2);
    small.give(last);
    assertThat(Worker.now(large).bytes()).isEqualTo(16 * UNIT);
    assertThat(newcomer.isDone()).isFalse();
    assertThat(allocator.retryStats().mostOvertaken()).isEqualTo(11);
  }

  @Test
  void streamsOfSmallRequestsOnManyThreadsDoNotStarveALargeOne() {
    RetryingAllocator allocator = retrying(16, PATIENT);
    AtomicBoolean ended = new AtomicBoolean();
    List<Future<Long>> streams = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Worker stream = worker("stream" + i, allocator);
      streams.add(stream.start(() -> {
        long rounds = 0;
        Block held = allocator.allocate(UNIT);
        for (; !ended.get(); rounds++) {
          allocator.free(held);
          held = allocator.allocate(UNIT);
        }
        allocator.free(held);
        return rounds;
      }));
    }
    Worker large = worker("large", allocator);
    for (int i = 0; i < 100; i++) {
      Block whole = large.get(16 * UNIT);
      assertThat(whole.bytes()).isEqualTo(16 * UNIT);
      large.give(whole);
    }
    ended.set(true);
    streams.forEach(Worker::now);
    assertThat(allocator.retryStats().timedOut()).isZero();
    assertThat(allocator.retryStats().deadlocks()).isZero();
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void nobodyStarvesInManyContendedRounds() {
    contend(8_000);
  }

  @Test
  @Tag("soak")
  @EnabledIfSystemProperty(named = "cairn.soak", matches = "true")
  void nobodyStarvesInAMillionContendedRounds() {
    contend(Integer.getInteger("cairn.soak.rounds", 1_000_000));
  }

  /** Threads that hold one or two blocks of any size at a time, of far more than there is in all. */
  private void contend(long rounds) {
    RetryOptions options = PATIENT.withOvertakings(16);
    RetryingAllocator allocator = retrying(24, options);
    List<Future<Boolean>> done = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(i);
      done.add(worker("w" + i, allocator).start(() -> {
        for (long left = rounds / THREADS; left > 0; left--) {
          Block block = allocator.allocate(UNIT * (1 + random.nextInt(random.nextBoolean() ? 4 : 24)));
          if (random.nextInt(4) == 0) {
            Thread.yield();
          }
          allocator.free(block);
        }
        return true;
      }));
    }
    done.forEach(it -> Worker.within(240 + rounds / 100, it));
    RetryStats stats = allocator.retryStats();
    assertThat(stats.waiting()).isZero();
    assertThat(stats.served()).isEqualTo(stats.waited());
    assertThat(stats.mostOvertaken()).isLessThanOrEqualTo(options.overtakings());
    AllocatorStats after = allocator.stats();
    assertThat(after.liveCount()).isZero();
    assertThat(after.allocationCount()).isEqualTo(rounds);
  }

  /**
   * Threads that ask for more while they hold some, and give all back when refused. If one deadlock weren't found, or
   * one wake-up were lost, a request would time out.
   */
  @Test
  void whoHoldAndWaitAreNeverLeftStanding() {
    for (int seed = 0; seed < 3; seed++) {
      RetryingAllocator allocator = retrying(24,
        PATIENT.withTimeLimit(Duration.ofSeconds(200)).withOvertakings(seed * 4).withDeadlockAfter(Duration.ZERO));
      List<Future<Boolean>> done = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seed * 100L + i);
        done.add(worker("w" + i, allocator).start(() -> holdAndWait(allocator, random)));
      }
      done.forEach(Worker::now);
      RetryStats stats = allocator.retryStats();
      assertThat(stats.timedOut()).isZero();
      assertThat(stats.deadlocks()).isPositive();
      assertThat(stats.served() + stats.deadlocks()).isEqualTo(stats.waited());
      assertThat(stats.waiting()).isZero();
      assertThat(allocator.stats().liveCount()).isZero();
    }
  }

  private static boolean holdAndWait(RetryingAllocator allocator, Random random) {
    List<Block> held = new ArrayList<>();
    for (int round = 0; round < 1000; round++) {
      try {
        held.add(allocator.allocate(UNIT * (1 + random.nextInt(random.nextInt(12) + 1))));
      } catch (OutOfMemory e) {
        assertThat(e.circumstances()).hasSize(1).first().asString().startsWith("hold-and-wait deadlock");
        held.forEach(allocator::free);
        held.clear();
      }
      while (held.size() > random.nextInt(4)) {
        allocator.free(held.remove(random.nextInt(held.size())));
      }
    }
    held.forEach(allocator::free);
    return true;
  }
}
