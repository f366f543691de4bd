package dev.cairn.runtime.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.OperationBlock;
import dev.cairn.runtime.engine.queue.ReadyQueue;
import dev.cairn.testing.Gate;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No block is forgotten, whatever a thread of the group does when the block comes. A forgotten one hangs the test. */
class WorkerGroupTest {
  private final Queue<Worker> held = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> reported = new ConcurrentLinkedQueue<>();
  /** Where a thread stops when it has lain down. */
  private volatile Gate bed = open();
  private final BlockTaker blocks = new BlockTaker() {
    @Override
    public void run(OperationBlock block) {
      block.operation().work().run();
    }

    @Override
    public void refuse(OperationBlock block, Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void report(OperationBlock block, Throwable error) {
      reported.add(error);
    }
  };
  private WorkerGroup group = group(1);

  private static Gate open() {
    var gate = new Gate();
    gate.open();
    return gate;
  }

  /** A group whose threads never spin. The first start of a thread is left to the test. */
  private WorkerGroup group(int threads) {
    return new WorkerGroup("test", threads, ReadyQueue.inOrder(threads == 1), blocks,
      new IdlePolicy(0, 0, () -> bed.pass()),
      held::add);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void startHeld() {
    for (Worker worker = held.poll(); worker != null; worker = held.poll()) {
      worker.start();
    }
  }

  @AfterEach
  void stop() {
    bed.open();
    startHeld();
    group.stop();
  }

  private void offer(Runnable work) {
    group.offer(new OperationBlock(Operation.of("block", Footprint.NONE, work), 0));
    group.wakeIfNeeded();
  }

  /** Starts a thread, which stops when it has run a block, found no other and lain down. */
  private void putAThreadToBed() {
    bed = new Gate();
    offer(() -> {});
    startHeld();
    bed.awaitArrival();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aBlockThatComesBeforeTheLastLookOfAThreadThatHasLainDownRuns(int threads) {
    group = group(threads);
    putAThreadToBed();
    var ran = new CountDownLatch(1);
    offer(ran::countDown);
    bed.open();
    await(ran);
  }

  /** The thread that offers a block wakes no other where one searches. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theLastLookFindsABlockForWhichTheThreadIsNotWoken(int threads) {
    group = group(threads);
    putAThreadToBed();
    var ran = new CountDownLatch(1);
    group.offer(new OperationBlock(Operation.of("block", Footprint.NONE, ran::countDown), 0));
    bed.open();
    await(ran);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void eachOfManyBlocksWakesAThreadThatSleeps(int threads) {
    group = group(threads);
    putAThreadToBed();
    bed.open();
    for (int i = 0; i < 20; i++) {
      var ran = new CountDownLatch(1);
      offer(ran::countDown);
      startHeld(); // where the first one runs still, and does not sleep yet
      await(ran);
    }
  }

  /** A thread that searches keeps others asleep, so it must wake one if it finds more than it can run. */
  @Test
  void aSearcherThatFindsTwoBlocksStartsAnotherThread() {
    group = group(2);
    var second = new CountDownLatch(1);
    var first = new CountDownLatch(1);
    offer(() -> {
      // The search has ended before this block began, and has started the other thread.
      startHeld();
      await(second);
      first.countDown();
    });
    offer(second::countDown);
    assertThat(held).as("threads that search").hasSize(1);
    startHeld();
    await(first);
  }

  /** The same where the other thread sleeps. */
  @Test
  void aSearcherThatFindsTwoBlocksWakesAnotherThread() {
    group = group(2);
    meet();
    for (int i = 0; i < 20; i++) {
      meet();
    }
  }

  /** Two blocks that need each other. */
  private void meet() {
    var both = new CountDownLatch(2);
    var ended = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      offer(() -> {
        startHeld();
        both.countDown();
        await(both);
        ended.countDown();
      });
    }
    startHeld();
    await(ended);
  }

  /** A waiting thread runs blocks while the group's only worker lies down. The worker runs the remaining blocks. */
  @Test
  void whatAWaitingThreadLeavesWakesTheThreadThatHasLainDown() throws InterruptedException {
    putAThreadToBed();
    var helps = new Gate();
    var helped = new CountDownLatch(1);
    offer(() -> {
      helps.pass();
      helped.countDown();
    });
    Thread waits = Thread.ofPlatform()
      .start(() -> group.help(() -> helped.getCount() == 0, block -> true, blocks::run));
    helps.awaitArrival();
    var left = new CountDownLatch(1);
    offer(left::countDown);
    bed.open();
    helps.open();
    await(left);
    waits.join();
  }

  /** The turn of a short operation keeps a lone thread from being woken: the end of the turn makes up for it. */
  @Test
  void aBlockThatComesDuringTheTurnOfAShortOperationRuns() {
    putAThreadToBed();
    assertThat(group.tryTurn()).isTrue();
    var ran = new CountDownLatch(1);
    offer(ran::countDown);
    bed.open();
    group.endTurn();
    await(ran);
  }

  /** The error is no operation's, as these handle their own: the thread reports it and goes on. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aThreadSurvivesWhatABlockThrows(int threads) {
    group = group(threads);
    var error = new OutOfMemoryError("planted in the end of a block");
    offer(() -> {
      throw error;
    });
    startHeld();
    var ran = new CountDownLatch(1);
    offer(ran::countDown);
    startHeld();
    await(ran);
    assertThat(reported).containsExactly(error);
  }
}
