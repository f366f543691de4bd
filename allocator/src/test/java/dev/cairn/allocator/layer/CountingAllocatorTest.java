package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CountingAllocatorTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private final BfcAllocator core = validated
    .watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 40), BfcOptions.DEFAULT));
  private final CountingAllocator allocator = new CountingAllocator(core);

  @Test
  void scopesNestAndWhatTheyCountGoesToTheOneAround() {
    Block before = allocator.allocate(256);
    allocator.push();
    Block inner = allocator.allocate(1024);
    allocator.free(inner);
    Block kept = allocator.allocate(512);
    allocator.push();
    allocator.free(kept);
    assertThat(allocator.pop().bytes()).isEqualTo(new Gauge(-512, 0, 0));
    assertThat(allocator.counted().bytes()).isEqualTo(new Gauge(0, 1024, 1536));
    AllocatorStats.Blocks scope = allocator.pop();
    assertThat(scope.count()).isEqualTo(new Gauge(0, 1, 2));
    assertThat(allocator.counted().bytes()).isEqualTo(new Gauge(256, 1280, 1792));
    allocator.free(before);
    assertThat(allocator.counted().bytes()).isEqualTo(new Gauge(0, 1280, 1792));
    assertThatIllegalStateException().isThrownBy(allocator::pop).withMessageContaining("no scope");
  }

  @Test
  void aBlockThatWasNeverAskedForHereDoesNotUnderflow() {
    allocator.free(core.allocate(256));
    Block block = allocator.allocate(100);
    allocator.free(block);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(block));
    assertThat(allocator.counted().bytes().current()).isZero();
    assertThat(allocator.counted().requestedBytes()).isEqualTo(new Gauge(0, 100, 100));
  }

  /** One thread's free and another's grant of the same bytes, however they fall (RMM's ABA case). */
  @Test
  void bytesThatGoFromThreadToThreadAreCountedOnceEach() {
    List<Worker> workers = new ArrayList<>();
    List<Future<Boolean>> done = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      workers.add(new Worker("w" + i, allocator));
      done.add(workers.getLast().start(() -> {
        for (int round = 0; round < 5000; round++) {
          allocator.free(allocator.allocate(256));
        }
        return true;
      }));
    }
    done.forEach(Worker::now);
    workers.forEach(Worker::close);
    assertThat(allocator.counted().count().current()).isZero();
    assertThat(allocator.counted().count().total()).isEqualTo(20_000);
    assertThat(allocator.counted().count().peak()).isBetween(1L, 8L);
  }
}
