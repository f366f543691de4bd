package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RelievingAllocatorTest {
  private static final long LIMIT = 1 << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  private final Deque<Block> cache = new ArrayDeque<>();
  private int asked;

  private BfcAllocator core(LongFunction<Fault> plan) {
    return validated.watch(new BfcAllocator(new FaultySubAllocator(FakeSubAllocator.contiguous(1L << 40), plan),
      BfcOptions.DEFAULT.withLimitBytes(LIMIT).withGrowth(BfcOptions.Growth.WHOLE)));
  }

  @Test
  void aCacheGivesUpAsMuchAsIsNeededAndNoMore() {
    BfcAllocator core = core(_ -> Fault.NONE);
    RelievingAllocator allocator = new RelievingAllocator(core, refusal -> {
      asked++;
      assertThat(refusal.requestedBytes()).isEqualTo(LIMIT / 2);
      if (cache.isEmpty()) {
        return false;
      }
      core.free(cache.pop());
      return true;
    });
    for (int i = 0; i < 4; i++) {
      cache.push(allocator.allocate(LIMIT / 4));
    }
    Block block = allocator.allocate(LIMIT / 2);
    assertThat(asked).isEqualTo(2);
    assertThat(cache).hasSize(2);
    core.free(cache.pop());
    Block other = allocator.allocate(LIMIT / 2);
    assertThat(asked).isEqualTo(3);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(LIMIT / 2))).isNotNull();
    assertThat(asked).isEqualTo(4);
    allocator.free(block);
    allocator.free(other);
  }

  @Test
  void onlyOutOfMemoryIsRelieved() {
    RelievingAllocator allocator = new RelievingAllocator(core(_ -> Fault.THROW), _ -> {
      asked++;
      return true;
    });
    assertThatIllegalStateException().isThrownBy(() -> allocator.allocate(1)).withMessageContaining("on purpose");
    assertThat(asked).isZero();
  }

  @Test
  void aReliefThatThrowsReachesTheCallerWithTheRefusal() {
    RelievingAllocator allocator = new RelievingAllocator(core(_ -> Fault.NONE), _ -> {
      throw new IllegalStateException("cache is broken");
    });
    IllegalStateException failure = catchThrowableOfType(IllegalStateException.class,
      () -> allocator.allocate(2 << 20));
    assertThat(failure).hasMessage("cache is broken");
    assertThat(failure.getSuppressed()).hasSize(1).hasOnlyElementsOfType(OutOfMemory.class);
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void reliefComesBeforeWaiting() {
    RetryingAllocator retrying = new RetryingAllocator(core(_ -> Fault.NONE),
      RetryOptions.DEFAULT.withTimeLimit(Duration.ofMinutes(5)).withDeadlockAfter(Duration.ZERO));
    RelievingAllocator allocator = new RelievingAllocator(retrying, _ -> {
      asked++;
      assertThat(retrying.retryStats().waited()).isZero();
      if (cache.isEmpty()) {
        return false;
      }
      retrying.free(cache.pop());
      return true;
    });
    cache.push(allocator.allocate(LIMIT));
    Block block = allocator.allocate(LIMIT);
    assertThat(asked).isOne();
    assertThat(retrying.retryStats().waited()).isZero();
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(LIMIT))).hasMessageContaining(
      "deadlock");
    assertThat(asked).isEqualTo(2);
    allocator.free(block);
  }
}
