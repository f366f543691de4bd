package dev.cairn.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sleeping workers, beside a deque that does the same. */
class SleepersTest {
  private final WorkerGroup group = new WorkerGroup("test", 1, ReadyQueue.inOrder(true),
    new BlockRunner(new OperationRunner(
      new Failures()), new DeviceStreams(EngineOptions.DEFAULT),
      new StreamRunner(new OperationRunner(new Failures()),
        new OperationDepth(), 0),
      new OperationDepth(), block -> {}),
    new IdlePolicy(0, 0), worker -> {});
  private final List<Worker> workers = IntStream.range(0, 6).mapToObj(i -> new Worker(group, "w" + i)).toList();

  @Test
  void anyOrderOfLyingDownAndGettingUpIsThatOfADeque() {
    var random = new SplittableRandom(5);
    var sleepers = new Sleepers();
    Deque<Worker> expected = new ArrayDeque<>();
    for (int i = 0; i < 10_000; i++) {
      Worker worker = workers.get(random.nextInt(workers.size()));
      switch (random.nextInt(3)) {
        case 0 -> {
          if (!expected.contains(worker)) {
            sleepers.push(worker);
            expected.push(worker);
          }
        }
        case 1 -> assertThat(sleepers.poll()).isSameAs(expected.poll());
        default -> assertThat(sleepers.remove(worker)).isEqualTo(expected.remove(worker));
      }
    }
    while (!expected.isEmpty()) {
      assertThat(sleepers.poll()).isSameAs(expected.poll());
    }
    assertThat(sleepers.poll()).isNull();
  }
}
