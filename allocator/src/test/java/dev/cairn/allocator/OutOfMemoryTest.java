package dev.cairn.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The reason and the bytes short, from figures alone. */
class OutOfMemoryTest {
  @Test
  void limitWhenEvenAllTogetherIsTooLittle() {
    OutOfMemory failure = failure(4096, stats(10240, 8192, 7168, 512));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    // 1024 free and 2048 still allowed: 3072 of 4096.
    assertThat(failure.bytesShort()).isEqualTo(1024);
    assertThat(failure).hasMessage("""
      out of memory: reason=limit space=host owner=conv1 requestedBytes=4095 roundedBytes=4096 bytesShort=1024
      limitBytes=10240 poolBytes=8192 bytesInUse=7168 freeBytes=1024 largestFreeBytes=512 liveBlocks=3 regions=0
      raise the memory limit by 2048 bytes, enough for a new region""");
  }

  @Test
  void fragmentationWhenAllTogetherIsEnough() {
    OutOfMemory failure = failure(4096, stats(8192, 8192, 4096, 1024));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.FRAGMENTATION);
    // A free chunk of 1024 doesn't help: a higher limit makes no chunk longer.
    assertThat(failure.bytesShort()).isEqualTo(4096);
    assertThat(failure).hasMessageContaining("reason=fragmentation").hasMessageContaining("largestFreeBytes=1024");
  }

  @Test
  void fragmentationCountsTheRestOfTheLimit() {
    OutOfMemory failure = failure(4096, stats(10240, 8192, 6144, 1024));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.FRAGMENTATION);
    assertThat(failure.bytesShort()).isEqualTo(2048);
  }

  @Test
  void theLeastLimitOfAllRequestsTogetherReplacesTheLackOfOne() {
    OutOfMemory failure = failure(4096, stats(10240, 8192, 7168, 512)).with("a fact");
    assertThat(failure.leastLimitBytes()).isEmpty();
    assertThat(failure.withLeastLimit(10240).leastLimitBytes()).as("the limit is that high").isEmpty();
    OutOfMemory told = failure.withLeastLimit(20000);
    assertThat(told.leastLimitBytes()).hasValue(20000);
    assertThat(told.with("another").withLastEvents(List.of()).leastLimitBytes()).hasValue(20000);
    assertThat(told.getMessage()).contains("; a fact").endsWith(
      "raise the memory limit to 20000 bytes, the least that all requests together need");
    assertThat(told.bytesShort()).isEqualTo(failure.bytesShort());
    OutOfMemory ofSource = failure(4096, stats(10240, 0, 0, 0));
    assertThat(ofSource.withLeastLimit(20000).leastLimitBytes()).as("no limit is in the way").isEmpty();
  }

  @Test
  void sourceRefusedWhenTheLimitAllows() {
    OutOfMemory failure = failure(4096, stats(Long.MAX_VALUE, 8192, 8192, 0));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.SOURCE_REFUSED);
    assertThat(failure.bytesShort()).isEqualTo(4096);
    assertThat(failure).hasMessageContaining("reason=source-refused").hasMessageContaining("host is exhausted");
  }

  @Test
  void theRestOfALimitCountsInWholeChunksOnly() {
    assertThat(failure(256, stats(255, 0, 0, 0)).reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    assertThat(failure(256, stats(256, 0, 0, 0)).reason()).isEqualTo(OutOfMemory.Reason.SOURCE_REFUSED);
  }

  @Test
  void statsDeriveTheRest() {
    AllocatorStats stats = stats(10240, 8192, 6144, 512);
    assertThat(stats.freeBytes()).isEqualTo(2048);
    assertThat(stats.unreservedBytes()).isEqualTo(2048);
    assertThat(stats.slackBytes()).isEqualTo(6144);
    assertThat(stats.fragmentation()).isEqualTo(0.75);
    assertThat(stats(10240, 8192, 8192, 0).fragmentation()).isZero();
  }

  private static OutOfMemory failure(long rounded, AllocatorStats stats) {
    return new OutOfMemory(AllocationRequest.of(rounded - 1, Owner.of("conv1")), rounded,
      new MemoryMapBuilder(MemorySpace.HOST).build(stats));
  }

  private static AllocatorStats stats(long limit, long pool, long inUse, long largestFree) {
    AllocatorStats.Blocks blocks = new AllocatorStats.Blocks(new Gauge(3, 3, 9), Gauge.of(inUse), Gauge.ZERO);
    return new AllocatorStats(blocks, blocks, AllocatorStats.Blocks.NONE, Gauge.of(pool), Gauge.of(1), Gauge.ZERO,
      Gauge.ZERO, Gauge.ZERO, limit, 4096, largestFree, 0, 0, 0, 0);
  }
}
