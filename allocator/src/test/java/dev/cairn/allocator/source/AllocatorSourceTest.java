package dev.cairn.allocator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AllocatorSourceTest {
  private static final long LIMIT = 1 << 20;

  private final BfcAllocator upstream = new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT.withLimitBytes(
    LIMIT).withGrowth(BfcOptions.Growth.AS_REQUESTED));
  private final AllocatorSource source = new AllocatorSource(upstream);

  @AfterEach
  void nothingIsLeft() {
    assertThat(upstream.stats().liveCount()).isZero();
    upstream.close();
  }

  private Region take(long bytes) {
    return Objects.requireNonNull(source.allocate(bytes));
  }

  @Test
  void regionsAreBlocksOfTheUpstream() {
    List<Region> regions = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      Region region = take(i * 256L);
      assertThat(region.bytes()).isEqualTo(i * 256L);
      assertThat(region.address() % 256).isZero();
      assertThat(region.segment().address()).isEqualTo(region.address());
      region.segment().set(ValueLayout.JAVA_BYTE, region.bytes() - 1, (byte) i);
      regions.add(region);
    }
    assertThat(upstream.stats().liveCount()).isEqualTo(10);
    for (int i = 1; i <= 10; i++) {
      Region region = regions.get(i - 1);
      assertThat(region.segment().get(ValueLayout.JAVA_BYTE, region.bytes() - 1)).isEqualTo((byte) i);
      source.release(region);
    }
  }

  @Test
  void aRegionIsReleasedOnceAndByItsSource() {
    Region region = take(512);
    source.release(region);
    assertThatIllegalArgumentException().isThrownBy(() -> source.release(region));
    assertThatIllegalArgumentException().isThrownBy(() -> source.allocate(100));
  }

  @Test
  void whatTheUpstreamRefusesIsNoRegion() {
    assertThat(source.allocate(2 * LIMIT)).isNull();
    assertThat(source.allocate(Long.MAX_VALUE & -256)).isNull();
  }

  @Test
  void idleRegionsOfTheUpstreamMakeRoom() {
    Region half = take(LIMIT / 2);
    Region other = take(LIMIT / 2);
    source.release(half);
    source.release(other);
    Region whole = take(LIMIT);
    assertThat(whole.bytes()).isEqualTo(LIMIT);
    source.release(whole);
  }
}
