package dev.cairn.allocator.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class FakeSubAllocatorTest {
  @Test
  void addressesBeginAtTwoToTheForty() {
    assertThat(take(FakeSubAllocator.scattered(Long.MAX_VALUE), 256).address()).isEqualTo(1L << 40);
  }

  @Test
  void contiguousRegionsAdjoinAndScatteredOnesDoNot() {
    FakeSubAllocator contiguous = FakeSubAllocator.contiguous(1 << 20);
    long end = take(contiguous, 1024).endAddress();
    assertThat(take(contiguous, 256).address()).isEqualTo(end);
    FakeSubAllocator scattered = FakeSubAllocator.scattered(1 << 20);
    long scatteredEnd = take(scattered, 1024).endAddress();
    assertThat(take(scattered, 256).address()).isGreaterThan(scatteredEnd);
  }

  @Test
  void capacityCountsWhatIsHeld() {
    FakeSubAllocator fake = FakeSubAllocator.scattered(1000);
    Region region = take(fake, 512);
    assertThat(fake.allocate(512)).isNull();
    assertThat(fake.heldBytes()).isEqualTo(512);
    assertThat(fake.heldRegions()).isOne();
    fake.release(region);
    assertThat(fake.heldBytes()).isZero();
    assertThat(take(fake, 768).address()).isGreaterThan(region.address());
  }

  @Test
  void addressesDoNotOverflow() {
    FakeSubAllocator fake = FakeSubAllocator.contiguous(Long.MAX_VALUE);
    Region half = take(fake, 1L << 62);
    assertThat(half.endAddress()).isPositive();
    assertThat(fake.allocate(1L << 62)).isNull();
  }

  private static Region take(SubAllocator source, long bytes) {
    return Objects.requireNonNull(source.allocate(bytes));
  }
}
