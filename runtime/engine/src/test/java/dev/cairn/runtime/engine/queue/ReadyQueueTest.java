package dev.cairn.runtime.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The queue of a group: each block comes out once; deletes first, then by priority if it looks at that, then by push.
 */
class ReadyQueueTest {
  private static final int ROUNDS = 200;
  private static final int STEPS = 200;
  private static final int THREADS = 3;
  private static final int EACH = 2_000;

  private static OperationBlock block(int number, FunctionProperty property, int priority) {
    return new OperationBlock(
      Operation.of("b" + number, Footprint.NONE, () -> {}).with(property).withPriority(priority),
      number);
  }

  /** What the queue promises, written as plainly as can be: the least of a list. */
  private static OperationBlock least(List<OperationBlock> there, boolean byPriority) {
    List<OperationBlock> deletes = there.stream().filter(OperationBlock::isDelete).toList();
    List<OperationBlock> among = deletes.isEmpty() ? there : deletes;
    int highest = among.stream().mapToInt(it -> it.operation().priority()).max().orElseThrow();
    return among.stream().filter(it -> !byPriority || !deletes.isEmpty() || it.operation().priority() == highest)
      .reduce((a, b) -> a.wasPushedBefore(b) ? a : b).orElseThrow();
  }

  private enum Order {
    BY_PRIORITY,
    OF_PUSHES,
    OF_PUSHES_FOR_ONE_TAKER;

    ReadyQueue queue() {
      return switch (this) {
        case BY_PRIORITY -> ReadyQueue.byPriority();
        case OF_PUSHES -> ReadyQueue.inOrder(false);
        case OF_PUSHES_FOR_ONE_TAKER -> ReadyQueue.inOrder(true);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void isTheLeastOfWhatIsThere(Order order) {
    boolean byPriority = order == Order.BY_PRIORITY;
    for (int round = 0; round < ROUNDS; round++) {
      var random = new Random(round);
      int start = random.nextInt();
      ReadyQueue queue = order.queue();
      List<OperationBlock> there = new ArrayList<>();
      for (int step = 0; step < STEPS; step++) {
        if (random.nextInt(5) < 3) {
          OperationBlock block = block(start + random.nextInt(1 << 30), random.nextInt(8) == 0
            ? FunctionProperty.DELETE
            : FunctionProperty.NORMAL, random.nextInt(3));
          there.add(block);
          queue.offer(block);
        } else {
          OperationBlock expected = there.isEmpty() ? null : least(there, byPriority);
          assertThat(queue.pollIf(it -> !it.equals(expected))).as("a block that does not pass stays").isNull();
          assertThat(queue.poll()).isSameAs(expected);
          there.remove(expected);
        }
        assertThat(queue.isEmpty()).isEqualTo(there.isEmpty());
      }
    }
  }

  @Test
  void severalTakeWhatSeveralOffer() {
    var queue = ReadyQueue.inOrder(false);
    var left = new AtomicInteger(THREADS * EACH);
    List<CompletableFuture<List<OperationBlock>>> takes = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t * EACH;
      Thread.ofPlatform().start(() -> {
        for (int i = 0; i < EACH; i++) {
          queue.offer(block(first + i, FunctionProperty.NORMAL, 0));
        }
      });
      takes.add(CompletableFuture.supplyAsync(() -> take(queue, left), run -> Thread.ofPlatform().start(run)));
    }
    List<OperationBlock> all = new ArrayList<>();
    takes.forEach(it -> all.addAll(it.join()));
    assertThat(all).hasSize(THREADS * EACH);
    assertThat(new HashSet<>(all)).hasSize(THREADS * EACH);
    assertThat(queue.isEmpty()).isTrue();
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static List<OperationBlock> take(ReadyQueue queue, AtomicInteger left) {
    List<OperationBlock> taken = new ArrayList<>();
    while (left.get() > 0) {
      OperationBlock block = queue.poll();
      if (block == null) {
        Thread.yield();
      } else {
        taken.add(block);
        left.decrementAndGet();
      }
    }
    return taken;
  }
}
