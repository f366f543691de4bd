package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue of a thread: whatever is put comes out once, in the order in which each thread put it. */
@Timeout(120)
class LaneTest {
  private static final int PUTTERS = 3;
  private static final int EACH = 100_000;

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

  @Test
  void oneTakesWhatManyPut() throws InterruptedException {
    var lane = new Lane(OperationBlock.stub(), true);
    List<Thread> putters = putters(lane);
    Map<String, Integer> next = new HashMap<>();
    for (int taken = 0; taken < PUTTERS * EACH;) {
      OperationBlock block = lane.take();
      if (block != null) {
        inOrder(next, block);
        taken++;
      }
    }
    for (Thread putter : putters) {
      putter.join();
    }
    assertThat(lane.isEmpty()).isTrue();
    assertThat(lane.take()).isNull();
    assertThat(next.values()).containsOnly(EACH);
  }

  @Test
  void severalTakeWhatManyPut() throws InterruptedException {
    var lane = new Lane(OperationBlock.stub(), false);
    var all = new ConcurrentLinkedQueue<OperationBlock>();
    List<Thread> threads = putters(lane);
    int takers = 2;
    int each = PUTTERS * EACH / takers;
    for (int t = 0; t < takers; t++) {
      threads.add(Thread.ofPlatform().start(() -> {
        Map<String, Integer> last = new HashMap<>();
        for (int taken = 0; taken < each;) {
          OperationBlock block = lane.take();
          if (block != null) {
            // Of one putter, this taker's come in order, too.
            int number = block.operation().priority();
            Integer before = last.put(block.operation().name(), number);
            if (before != null && before >= number) {
              throw new AssertionError("before=" + before + " then=" + number);
            }
            all.add(block);
            taken++;
          }
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(lane.isEmpty()).isTrue();
    assertThat(all).hasSize(takers * each).doesNotHaveDuplicates();
  }

  private static List<Thread> putters(Lane lane) {
    List<Thread> putters = new ArrayList<>();
    for (int t = 0; t < PUTTERS; t++) {
      Operation from = Operation.of("putter" + t, Footprint.NONE, () -> {});
      putters.add(Thread.ofPlatform().start(() -> {
        for (int i = 0; i < EACH; i++) {
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
