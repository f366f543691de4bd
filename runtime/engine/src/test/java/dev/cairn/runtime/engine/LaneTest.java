package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Gate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue of a thread: whatever is put comes out once, in the order in which each thread put it. */
class LaneTest {
  private static final int PUTTERS = 3;
  private static final int EACH = 2_000;
  private static final int EACH_IN_SOAKS = 300_000;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneAfterTheOther(boolean oneTaker) {
    var lane = new Lane(OperationBlock.stub(), oneTaker);
    assertThat(lane.take()).isNull();
    for (int round = 0; round < 5; round++) {
      List<OperationBlock> blocks = new ArrayList<>();
      for (int i = 0; i < round; i++) {
        assertThat(lane.isEmpty()).isEqualTo(i == 0);
        blocks.add(OperationBlock.stub());
        lane.put(blocks.get(i));
      }
      for (OperationBlock block : blocks) {
        assertThat(lane.isEmpty()).isFalse();
        assertThat(lane.take()).isSameAs(block);
      }
      assertThat(lane.isEmpty()).isTrue();
      assertThat(lane.take()).isNull();
    }
  }

  /** A block behind which a thread is held before it links the next one. */
  private static final class HeldBlock extends OperationBlock {
    private final Gate gate = new Gate();

    HeldBlock() {
      super(Operation.of("held", Footprint.NONE, () -> {}));
    }

    @Override
    void linkTo(@Nullable OperationBlock block) {
      gate.pass();
      super.linkTo(block);
    }
  }

  @Test
  void onePutThatIsUnderWayHidesLaterOnesFromTheOnlyTaker() throws InterruptedException {
    var stub = new HeldBlock();
    var lane = new Lane(stub, true);
    OperationBlock first = OperationBlock.stub();
    OperationBlock second = OperationBlock.stub();
    Thread putter = Thread.ofPlatform().start(() -> lane.put(first));
    stub.gate.awaitArrival();
    assertThat(lane.isEmpty()).isFalse();
    assertThat(lane.take()).isNull();
    lane.put(second);
    assertThat(lane.take()).isNull();
    assertThat(lane.first()).isNull();
    stub.gate.open();
    putter.join();
    assertThat(lane.take()).isSameAs(first);
    assertThat(lane.take()).isSameAs(second);
    assertThat(lane.isEmpty()).isTrue();
  }

  @Test
  void severalTakersWaitForAPutThatIsUnderWay() throws InterruptedException {
    var stub = new HeldBlock();
    var lane = new Lane(stub, false);
    OperationBlock first = OperationBlock.stub();
    OperationBlock second = OperationBlock.stub();
    Thread putter = Thread.ofPlatform().start(() -> lane.put(first));
    stub.gate.awaitArrival();
    lane.put(second);
    List<CompletableFuture<@Nullable OperationBlock>> takes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      takes.add(CompletableFuture.supplyAsync(lane::take, run -> Thread.ofPlatform().start(run)));
    }
    stub.gate.open();
    putter.join();
    assertThat(takes.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(first, second);
    assertThat(lane.take()).isNull();
  }

  @Test
  void oneTakesWhatManyPut() throws InterruptedException {
    oneTakes(EACH);
  }

  @Test
  void severalTakeWhatManyPut() throws InterruptedException {
    severalTake(EACH);
  }

  @Test
  @Tag("soak")
  void takersFindAllOfVeryMany() throws InterruptedException {
    oneTakes(EACH_IN_SOAKS);
    severalTake(EACH_IN_SOAKS);
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static void oneTakes(int each) throws InterruptedException {
    var lane = new Lane(OperationBlock.stub(), true);
    List<Thread> putters = putters(lane, each);
    Map<String, Integer> next = new HashMap<>();
    for (int taken = 0; taken < PUTTERS * each;) {
      OperationBlock block = lane.take();
      if (block == null) {
        Thread.yield();
      } else {
        inOrder(next, block);
        taken++;
      }
    }
    for (Thread putter : putters) {
      putter.join();
    }
    assertThat(lane.isEmpty()).isTrue();
    assertThat(lane.take()).isNull();
    assertThat(next.values()).containsOnly(each);
  }

  private static void severalTake(int each) throws InterruptedException {
    var lane = new Lane(OperationBlock.stub(), false);
    int takers = 2;
    int mine = PUTTERS * each / takers;
    List<CompletableFuture<List<OperationBlock>>> takes = new ArrayList<>();
    List<Thread> putters = putters(lane, each);
    for (int t = 0; t < takers; t++) {
      takes.add(CompletableFuture.supplyAsync(() -> take(lane, mine), run -> Thread.ofPlatform().start(run)));
    }
    List<OperationBlock> all = new ArrayList<>();
    takes.forEach(it -> all.addAll(it.join()));
    for (Thread putter : putters) {
      putter.join();
    }
    assertThat(lane.isEmpty()).isTrue();
    assertThat(all).hasSize(takers * mine);
    assertThat(new HashSet<>(all)).hasSize(takers * mine);
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static List<OperationBlock> take(Lane lane, int count) {
    List<OperationBlock> taken = new ArrayList<>();
    Map<String, Integer> last = new HashMap<>();
    while (taken.size() < count) {
      OperationBlock block = lane.take();
      if (block == null) {
        Thread.yield();
        continue;
      }
      // Of one putter, this taker's come in order, too.
      int number = block.operation().priority();
      Integer before = last.put(block.operation().name(), number);
      if (before != null && before >= number) {
        throw new AssertionError("before=" + before + " then=" + number);
      }
      taken.add(block);
    }
    return taken;
  }

  private static List<Thread> putters(Lane lane, int each) {
    List<Thread> putters = new ArrayList<>();
    for (int t = 0; t < PUTTERS; t++) {
      Operation from = Operation.of("putter" + t, Footprint.NONE, () -> {});
      putters.add(Thread.ofPlatform().start(() -> {
        for (int i = 0; i < each; i++) {
          lane.put(new OperationBlock(from.withPriority(i)));
        }
      }));
    }
    return putters;
  }

  private static void inOrder(Map<String, Integer> next, OperationBlock block) {
    int number = block.operation().priority();
    if (number != next.merge(block.operation().name(), 1, Integer::sum) - 1) {
      throw new AssertionError("out of order: block=%s number=%d".formatted(block, number));
    }
  }
}
