package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.SplitPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting for memory: the cases of TensorFlow's gpu_allocator_retry_test.cc, and what it leaves out. */
class RetryingAllocatorTest {
  private static final long UNIT = 256;
  private static final RetryOptions PATIENT = RetryOptions.DEFAULT.withTimeLimit(Duration.ofMinutes(5));

  @RegisterExtension
  final Validated validated = new Validated();
  private final List<Worker> workers = new ArrayList<>();

  private BfcAllocator core(long units) {
    return core(units, SplitPolicy.exact());
  }

  private BfcAllocator core(long units, SplitPolicy split) {
    return validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 40),
      BfcOptions.DEFAULT.withLimitBytes(units * UNIT).withGrowth(BfcOptions.Growth.WHOLE)
        .withSplit(split)));
  }

  private RetryingAllocator retrying(long units, RetryOptions options) {
    return new RetryingAllocator(core(units), options);
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
  void threeClientsOfOneUnitEachShareTwoAndNoneFails() {
    RetryingAllocator allocator = retrying(2, RetryOptions.DEFAULT.withTimeLimit(Duration.ofMinutes(1)));
    List<Worker> clients = List.of(worker("a", allocator), worker("b", allocator), worker("c", allocator));
    Block first = clients.get(0).get(UNIT);
    Block second = clients.get(1).get(UNIT);
    // In turn, the one who holds nothing asks, and then the one who has held longest gives.
    for (int turn = 0; turn < 300; turn++) {
      Future<Block> asked = clients.get((turn + 2) % 3).ask(UNIT);
      untilWaiting(allocator, 1);
      clients.get(turn % 3).give(first);
      first = second;
      second = Worker.now(asked);
    }
    RetryStats stats = allocator.retryStats();
    assertThat(stats).isEqualTo(new RetryStats(0, 300, 300, 0, 0, 0, 0));
  }

  @Test
  void withoutATimeLimitOneOfThreeFailsAtOnce() {
    RetryingAllocator allocator = retrying(2, RetryOptions.DEFAULT.withTimeLimit(Duration.ZERO));
    worker("a", allocator).get(UNIT);
    worker("b", allocator).get(UNIT);
    Worker third = worker("c", allocator);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> third.get(UNIT));
    assertThat(failure.circumstances()).isEmpty();
    assertThat(allocator.retryStats()).isEqualTo(new RetryStats(0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void ofThreeThatNeedTwoEachTheOneThatCameLastFailsAndTheOthersGoOn() {
    RetryingAllocator allocator = retrying(2, PATIENT);
    Worker a = worker("a", allocator);
    Worker b = worker("b", allocator);
    Worker c = worker("c", allocator);
    Block ofA = a.get(UNIT);
    Block ofB = b.get(UNIT);
    Future<Block> secondOfA = a.ask(UNIT);
    untilWaiting(allocator, 1);
    Future<Block> firstOfC = c.ask(UNIT);
    untilWaiting(allocator, 2);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> b.get(UNIT));
    assertThat(failure.circumstances()).containsExactly("hold-and-wait deadlock: clients="
      + "[a holds 256 B waits for 256 B, c holds 0 B waits for 256 B, b holds 256 B waits for 256 B]");
    b.give(ofB);
    a.give(Worker.now(secondOfA));
    a.give(ofA);
    c.give(Worker.now(firstOfC));
    assertThat(allocator.retryStats().deadlocks()).isOne();
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void aRequestThatDoesNotWaitFailsAtOnceAndBehindOthersToo() {
    RetryingAllocator allocator = retrying(4, PATIENT.withHolders(RetryOptions.Holders.ANYONE));
    Worker a = worker("a", allocator);
    Block held = a.get(2 * UNIT);
    AllocationRequest atOnce = AllocationRequest.of(4 * UNIT).withoutWaiting();
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> Worker.now(a.ask(atOnce))).circumstances()).isEmpty();
    Future<Block> waits = worker("b", allocator).ask(4 * UNIT);
    untilWaiting(allocator, 1);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> Worker.now(a.ask(atOnce))).circumstances())
      .containsExactly("not waited, waitersAhead=1");
    assertThat(allocator.retryStats().waiting()).isOne();
    a.give(held);
    assertThat(Worker.now(waits).bytes()).isEqualTo(4 * UNIT);
  }

  @Test
  void aRequestAboveTheLimitIsNotWaitedFor() {
    RetryingAllocator allocator = retrying(4, PATIENT);
    Worker a = worker("a", allocator);
    Block held = a.get(UNIT);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> a.get(5 * UNIT)).circumstances()).isEmpty();
    Future<?> _ = worker("b", allocator).ask(4 * UNIT);
    untilWaiting(allocator, 1);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> a.get(5 * UNIT))).hasMessageContaining("not waited");
    a.give(held);
  }

  @Test
  void aWaitThatEndsInVainSaysSoAndLeavesNoTrace() {
    RetryingAllocator allocator = retrying(2, RetryOptions.DEFAULT.withTimeLimit(Duration.ofMillis(30)));
    Worker a = worker("a", allocator);
    Block held = a.get(UNIT);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> worker("b", allocator).get(2 * UNIT));
    assertThat(failure.circumstances()).hasSize(1).first().asString().matches("waitedMillis=\\d+ waitersAhead=0");
    assertThat(failure.memoryMap().stats().liveCount()).isOne();
    assertThat(failure.getStackTrace()).extracting(StackTraceElement::getMethodName).contains("enter");
    assertThat(allocator.retryStats()).isEqualTo(new RetryStats(0, 1, 0, 1, 0, 0, 0));
    a.give(held);
    assertThat(worker("c", allocator).get(2 * UNIT).bytes()).isEqualTo(2 * UNIT);
  }

  @Test
  void whoLeavesInVainLetsThoseBehindPass() {
    RetryingAllocator allocator = retrying(8, PATIENT.withOvertakings(0));
    Worker a = worker("a", allocator);
    a.get(4 * UNIT);
    Worker b = worker("b", allocator);
    Future<Block> large = b.ask(8 * UNIT);
    untilWaiting(allocator, 1);
    Future<Block> small = worker("c", allocator).ask(UNIT);
    untilWaiting(allocator, 2);
    b.interrupt();
    assertThat(Worker.now(small).bytes()).isEqualTo(UNIT);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> Worker.now(large))).isNotNull();
  }

  @Test
  void anInterruptedWaitFailsAndKeepsTheInterruptStatus() {
    RetryingAllocator allocator = retrying(2, PATIENT);
    Worker a = worker("a", allocator);
    Block held = a.get(2 * UNIT);
    Worker b = worker("b", allocator);
    AtomicBoolean status = new AtomicBoolean();
    Future<String> waits = b.start(() -> {
      try {
        return "granted " + allocator.allocate(UNIT);
      } catch (OutOfMemory e) {
        status.set(Thread.currentThread().isInterrupted());
        return e.circumstances().getFirst();
      }
    });
    untilWaiting(allocator, 1);
    b.interrupt();
    assertThat(Worker.now(waits)).startsWith("interrupted, waitedMillis=");
    assertThat(status).isTrue();
    assertThat(allocator.retryStats()).isEqualTo(new RetryStats(0, 1, 0, 0, 1, 0, 0));
    a.give(held);
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void anInterruptedThreadGetsWhatNeedsNoWaiting() {
    RetryingAllocator allocator = retrying(2, PATIENT);
    assertThat(worker("a", allocator).done(() -> {
      Thread.currentThread().interrupt();
      allocator.free(allocator.allocate(UNIT));
      return Thread.interrupted();
    })).isTrue();
  }

  @Test
  void freesThatDoNotHelpAndWakesForNothingLeaveARequestWaiting() {
    RetryingAllocator allocator = retrying(4, PATIENT);
    Worker a = worker("a", allocator);
    List<Block> held = List.of(a.get(UNIT), a.get(UNIT), a.get(UNIT), a.get(UNIT));
    Future<Block> waits = worker("b", allocator).ask(2 * UNIT);
    untilWaiting(allocator, 1);
    allocator.wake();
    allocator.trim();
    a.give(held.get(0));
    a.give(held.get(2));
    allocator.wake();
    assertThat(waits.isDone()).isFalse();
    a.give(held.get(1));
    assertThat(Worker.now(waits).bytes()).isEqualTo(2 * UNIT);
    a.give(held.get(3));
  }

  @Test
  void aWakeTellsOfMemoryThatCameFreeWithoutAFree() {
    AtomicBoolean refusing = new AtomicBoolean();
    FaultySubAllocator source = new FaultySubAllocator(FakeSubAllocator.scattered(1L << 40),
      _ -> refusing.get() ? FaultySubAllocator.Fault.REFUSE : FaultySubAllocator.Fault.NONE);
    RetryingAllocator allocator = new RetryingAllocator(validated.watch(new BfcAllocator(source,
      BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED))), PATIENT);
    Block held = worker("a", allocator).get(UNIT);
    refusing.set(true);
    Future<Block> waits = worker("b", allocator).ask(UNIT);
    untilWaiting(allocator, 1);
    allocator.wake();
    assertThat(waits.isDone()).isFalse();
    refusing.set(false);
    allocator.wake();
    assertThat(Worker.now(waits).address()).isNotEqualTo(held.address());
  }

  @Test
  void whatElseUpstreamThrowsIsNotWaitedOut() {
    AtomicBoolean failing = new AtomicBoolean();
    BfcAllocator core = core(2, (chunkBytes, wantedBytes) -> {
      if (failing.get()) {
        throw new UnsupportedOperationException("on purpose");
      }
      return true;
    });
    RetryingAllocator allocator = new RetryingAllocator(core, PATIENT);
    Worker a = worker("a", allocator);
    failing.set(true);
    assertThat(catchThrowableOfType(UnsupportedOperationException.class, () -> a.get(UNIT))).isNotNull();
    failing.set(false);
    Block held = a.get(2 * UNIT);
    Future<Block> waits = worker("b", allocator).ask(UNIT);
    untilWaiting(allocator, 1);
    failing.set(true);
    a.give(held);
    assertThat(catchThrowableOfType(UnsupportedOperationException.class, () -> Worker.now(waits))).isNotNull();
    assertThat(allocator.retryStats().waiting()).isZero();
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void aFreeThatFailsLeavesTheBlockHeld() {
    BfcAllocator core = core(2);
    RetryingAllocator allocator = new RetryingAllocator(core, PATIENT);
    Client client = allocator.client("a");
    Block block = client.allocate(UNIT);
    Block altered = new Block(block.issuer(), block.handle() + (1L << 40), block.allocationId(), block.address(),
      block.requestedBytes(), block.bytes(), block.space(), MemorySegment.NULL);
    assertThatIllegalArgumentException().isThrownBy(() -> client.free(altered));
    assertThat(client.heldBytes()).isEqualTo(UNIT);
    client.free(block);
    assertThat(client.heldBytes()).isZero();
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void aBlockGrantedPastTheLayerIsFreedThroughItUncounted() {
    BfcAllocator core = core(4);
    Client client = new RetryingAllocator(core, PATIENT).client("a");
    client.free(core.allocate(UNIT));
    assertThat(client.heldBytes()).isZero();
    client.close();
    assertThatIllegalStateException().isThrownBy(client::close);
  }

  @Test
  void closingFailsWhileSomebodyHoldsAndWaits() {
    RetryingAllocator allocator = retrying(2, PATIENT);
    Worker a = worker("a", allocator);
    Block held = a.get(2 * UNIT);
    Future<Block> waits = worker("b", allocator).ask(UNIT);
    untilWaiting(allocator, 1);
    assertThatIllegalStateException().isThrownBy(allocator::close).withMessageContaining("still held");
    a.give(held);
    assertThat(Worker.now(waits).bytes()).isEqualTo(UNIT);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void virtualThreadsWaitAsWell(boolean virtual) {
    RetryingAllocator allocator = retrying(1, PATIENT);
    Block held = allocator.allocate(UNIT);
    List<Future<Block>> waits = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Thread.Builder thread = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
      Worker worker = new Worker(thread, allocator);
      workers.add(worker);
      waits.add(worker.start(() -> {
        Block block = allocator.allocate(UNIT);
        allocator.free(block);
        return block;
      }));
    }
    untilWaiting(allocator, 20);
    allocator.free(held);
    assertThat(waits).extracting(Worker::now).extracting(Block::bytes).containsOnly(UNIT);
    assertThat(allocator.retryStats().deadlocks()).isZero();
  }
}
