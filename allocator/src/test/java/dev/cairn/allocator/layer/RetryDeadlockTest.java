package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which waits are in vain, and which are not. */
class RetryDeadlockTest {
  private static final long UNIT = 1 << 20;
  private static final long CAPACITY = 8;
  private static final RetryOptions PATIENT = RetryOptions.DEFAULT.withTimeLimit(Duration.ofMinutes(5));
  private static final RetryOptions AT_ONCE = PATIENT.withDeadlockAfter(Duration.ZERO);

  @RegisterExtension
  final Validated validated = new Validated();
  private final List<Worker> workers = new ArrayList<>();

  private RetryingAllocator retrying(RetryOptions options) {
    return new RetryingAllocator(validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 40),
      BfcOptions.DEFAULT.withLimitBytes(CAPACITY * UNIT).withGrowth(BfcOptions.Growth.WHOLE)
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

  private static String deadlockOf(Future<Block> waits) {
    return catchThrowableOfType(OutOfMemory.class, () -> Worker.now(waits)).circumstances().getLast();
  }

  @Test
  void whoeverHoldsAllAndWantsMoreWaitsForItself() {
    RetryingAllocator allocator = retrying(AT_ONCE);
    Worker a = worker("a", allocator);
    a.get(6 * UNIT);
    assertThat(deadlockOf(a.ask(3 * UNIT)))
      .isEqualTo("hold-and-wait deadlock: clients=[a holds 6 MiB waits for 3 MiB]");
  }

  @Test
  void holesThatOnlyTheOneWhoWaitsCouldCloseAreADeadlock() {
    RetryingAllocator allocator = retrying(AT_ONCE);
    Worker a = worker("a", allocator);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      blocks.add(a.get(UNIT));
    }
    for (int i = 0; i < CAPACITY; i += 2) {
      a.give(blocks.get(i));
    }
    assertThat(deadlockOf(a.ask(2 * UNIT))).contains("a holds 4 MiB waits for 2 MiB");
  }

  @Test
  void aFreeThatIsNotEnoughMayCompleteADeadlock() {
    RetryingAllocator allocator = retrying(PATIENT);
    Worker a = worker("a", allocator);
    Worker b = worker("b", allocator);
    a.get(5 * UNIT);
    Block ofB = b.get(UNIT);
    Future<Block> waits = a.ask(4 * UNIT);
    assertThat(deadlockOf(waits)).contains("[a holds 5 MiB waits for 4 MiB]");
    Future<Block> enough = a.ask(3 * UNIT);
    untilWaiting(allocator, 1);
    b.give(ofB);
    assertThat(Worker.now(enough).bytes()).isEqualTo(3 * UNIT);
  }

  @Test
  void aSmallHolderWhoStillRunsDoesNotHideADeadlock() {
    RetryingAllocator allocator = retrying(PATIENT);
    worker("runs", allocator).get(UNIT);
    Worker a = worker("a", allocator);
    Worker b = worker("b", allocator);
    a.get(3 * UNIT);
    b.get(3 * UNIT);
    Future<Block> ofA = a.ask(4 * UNIT);
    untilWaiting(allocator, 1);
    assertThat(deadlockOf(b.ask(5 * UNIT))).contains("[a holds 3 MiB waits for 4 MiB, b holds 3 MiB waits for 5 MiB]");
    assertThat(ofA.isDone()).isFalse();
  }

  @Test
  void whoCanStillBeHelpedByOneWhoRunsIsLeftWaiting() {
    RetryingAllocator allocator = retrying(AT_ONCE);
    Worker runs = worker("runs", allocator);
    Block held = runs.get(4 * UNIT);
    Worker a = worker("a", allocator);
    Worker b = worker("b", allocator);
    a.get(2 * UNIT);
    b.get(2 * UNIT);
    Future<Block> ofA = a.ask(3 * UNIT);
    untilWaiting(allocator, 1);
    Future<Block> ofB = b.ask(3 * UNIT);
    untilWaiting(allocator, 2);
    runs.give(held);
    assertThat(Worker.now(ofA).bytes()).isEqualTo(3 * UNIT);
    assertThat(ofB.isDone()).isFalse();
    a.give(Worker.now(ofA));
    assertThat(Worker.now(ofB).bytes()).isEqualTo(3 * UNIT);
    assertThat(allocator.retryStats().deadlocks()).isZero();
  }

  @Test
  void theOneThatCouldGoOnIsHelpedPastOneThatCouldNot() {
    RetryingAllocator allocator = retrying(AT_ONCE.withOvertakings(0));
    Worker a = worker("a", allocator);
    Block held = a.get(5 * UNIT);
    Future<Block> large = worker("b", allocator).ask(6 * UNIT);
    untilWaiting(allocator, 1);
    // Behind the large one, which can't be served before this one, which holds what it needs.
    Block more = a.get(UNIT);
    a.give(more);
    a.give(held);
    assertThat(Worker.now(large).bytes()).isEqualTo(6 * UNIT);
    assertThat(allocator.retryStats().deadlocks()).isZero();
  }

  @Test
  void reservedBlocksAreTakenToStay() {
    RetryingAllocator allocator = retrying(PATIENT);
    Worker weights = worker("weights", allocator);
    Block reserved = Worker.now(weights.reserve(5 * UNIT));
    Worker a = worker("a", allocator);
    a.get(UNIT);
    assertThat(deadlockOf(a.ask(3 * UNIT))).contains("[a holds 1 MiB waits for 3 MiB]");
    weights.give(reserved);
  }

  @Test
  void aTransferredBlockIsItsNewHoldersToFree() {
    RetryingAllocator allocator = retrying(AT_ONCE);
    Client consumer = allocator.client("consumer");
    Worker producer = worker("producer", allocator);
    Block made = producer.get(8 * UNIT);
    allocator.transfer(made, consumer);
    assertThat(consumer.heldBytes()).isEqualTo(8 * UNIT);
    Future<Block> next = producer.ask(8 * UNIT);
    untilWaiting(allocator, 1);
    consumer.free(made);
    assertThat(Worker.now(next).bytes()).isEqualTo(8 * UNIT);
    Worker other = worker("other", allocator);
    Worker adopter = worker("adopter", allocator);
    adopter.done(() -> {
      allocator.adopt(Worker.now(next));
      return true;
    });
    assertThat(other.start(() -> 1)).isNotNull();
    assertThat(deadlockOf(adopter.ask(UNIT))).contains("[adopter holds 8 MiB waits for 1 MiB]");
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.transfer(made, consumer))
      .withMessageContaining("to=consumer");
  }

  @Test
  void asSharedBlocksMayBeFreedByAnyoneNoDeadlockRestsOnThem() {
    RetryingAllocator allocator = retrying(AT_ONCE);
    Worker a = worker("a", allocator);
    Block held = a.get(8 * UNIT);
    allocator.share(held);
    Future<Block> waits = a.ask(UNIT);
    untilWaiting(allocator, 1);
    allocator.wake();
    allocator.free(held);
    assertThat(Worker.now(waits).bytes()).isEqualTo(UNIT);
  }

  @Test
  void whoseBlocksOthersFreeUnannouncedIsNeverTakenForStuckAgain() {
    RetryingAllocator allocator = retrying(AT_ONCE);
    Worker producer = worker("producer", allocator);
    Worker consumer = worker("consumer", allocator);
    consumer.give(producer.get(UNIT));
    Block made = producer.get(8 * UNIT);
    Future<Block> next = producer.ask(8 * UNIT);
    untilWaiting(allocator, 1);
    allocator.wake();
    consumer.give(made);
    assertThat(Worker.now(next).bytes()).isEqualTo(8 * UNIT);
    assertThat(allocator.retryStats().deadlocks()).isZero();
  }

  @Test
  void whereAnyoneMayFreeNothingIsADeadlock() {
    RetryingAllocator allocator = retrying(
      AT_ONCE.withHolders(RetryOptions.Holders.ANYONE).withTimeLimit(Duration.ofMillis(200)));
    Worker a = worker("a", allocator);
    a.get(8 * UNIT);
    assertThat(deadlockOf(a.ask(UNIT))).startsWith("waitedMillis=");
  }

  @Test
  void clientsAreTheirOwnHoldersOnWhicheverThread() {
    RetryingAllocator allocator = retrying(PATIENT);
    Client a = allocator.client("left");
    Client b = allocator.client("right");
    Worker one = worker("one", allocator);
    Worker two = worker("two", allocator);
    Block ofA = one.done(() -> a.allocate(4 * UNIT));
    Block ofB = one.done(() -> b.allocate(4 * UNIT));
    Future<Block> moreOfA = two.start(() -> a.allocate(2 * UNIT));
    untilWaiting(allocator, 1);
    Future<Block> moreOfB = one.start(() -> b.allocate(3 * UNIT));
    assertThat(deadlockOf(moreOfB)).contains("[left holds 4 MiB waits for 2 MiB, right holds 4 MiB waits for 3 MiB]");
    b.free(ofB);
    a.free(Worker.now(moreOfA));
    a.free(ofA);
    a.close();
    b.close();
  }

  @Test
  void ofManyOnlyAsManyFailAsMust() {
    RetryingAllocator allocator = retrying(AT_ONCE);
    List<Worker> all = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      all.add(worker("w" + i, allocator));
      blocks.add(all.getLast().get(UNIT));
    }
    List<Future<Block>> waits = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      waits.add(all.get(i).ask(2 * UNIT));
      untilWaiting(allocator, i + 1);
    }
    // The two that run could serve one of the six; once one of them waits too, nobody can be served.
    assertThat(deadlockOf(all.get(6).ask(2 * UNIT))).contains("w0 holds 1 MiB waits for 2 MiB", "w5 ", "w6 ");
    all.get(6).give(blocks.get(6));
    assertThat(deadlockOf(all.get(7).ask(2 * UNIT))).contains("w5 ", "w7 ").doesNotContain("w6 ");
    all.get(7).give(blocks.get(7));
    for (int i = 0; i < 6; i++) {
      all.get(i).give(Worker.now(waits.get(i)));
      all.get(i).give(blocks.get(i));
    }
    assertThat(allocator.retryStats()).isEqualTo(new RetryStats(0, 8, 6, 0, 0, 2, 0));
    assertThat(allocator.stats().liveCount()).isZero();
  }
}
