package dev.cairn.allocator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every source of regions does. A subclass gives the subject and nothing else. */
public abstract class SubAllocatorContract {
  private SubAllocator source;

  /** A new source that has 64 MiB to give, at least. */
  protected abstract SubAllocator newSource();

  @BeforeEach
  void makeSubject() {
    source = newSource();
  }

  private Region take(long bytes) {
    return Objects.requireNonNull(source.allocate(bytes), "the source has nothing to give");
  }

  @Test
  void regionsAreAlignedExactAndApart() {
    List<Region> regions = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      regions.add(take(i * source.granularityBytes()));
    }
    for (int i = 1; i <= 40; i++) {
      assertThat(regions.get(i - 1).bytes()).isEqualTo(i * source.granularityBytes());
      assertThat(regions.get(i - 1).address() % 256).isZero();
    }
    List<Region> inOrder = new ArrayList<>(regions);
    inOrder.sort(Comparator.comparingLong(Region::address));
    for (int i = 1; i < inOrder.size(); i++) {
      assertThat(inOrder.get(i).address()).isGreaterThanOrEqualTo(inOrder.get(i - 1).endAddress());
    }
    regions.forEach(source::release);
  }

  @Test
  void segmentsCoverTheirRegionsAndEndWithThem() {
    Region region = take(4 * source.granularityBytes());
    if (!source.space().isHostAccessible()) {
      assertThat(region.segment().byteSize()).isZero();
      source.release(region);
      return;
    }
    assertThat(region.segment().address()).isEqualTo(region.address());
    assertThat(region.segment().byteSize()).isEqualTo(region.bytes());
    region.segment().fill((byte) 5);
    assertThat(region.segment().get(ValueLayout.JAVA_BYTE, region.bytes() - 1)).isEqualTo((byte) 5);
    source.release(region);
    assertThatIllegalStateException().isThrownBy(() -> region.segment().get(ValueLayout.JAVA_BYTE, 0));
  }

  @Test
  void oddLengthsAreRefused() {
    for (long bytes : new long[] {0, -256, 1, source.granularityBytes() - 1, source.granularityBytes() + 1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> source.allocate(bytes)).withMessageContaining(
        "bytes=" + bytes);
    }
  }

  @Test
  void aRegionIsReleasedOnce() {
    Region region = take(source.granularityBytes());
    source.release(region);
    assertThatIllegalArgumentException().isThrownBy(() -> source.release(region)).withMessageContaining("not held");
  }

  @Test
  void anotherSourcesRegionIsRefused() {
    SubAllocator other = newSource();
    Region foreign = Objects.requireNonNull(other.allocate(source.granularityBytes()));
    Region own = take(source.granularityBytes());
    assertThatIllegalArgumentException().isThrownBy(() -> source.release(foreign)).withMessageContaining("not held");
    other.release(foreign);
    source.release(own);
  }

  @Test
  void beyondTheMaximumThereIsNothing() {
    long tooLong = source.maximumRegionBytes() + source.granularityBytes();
    if (tooLong > 0) {
      assertThat(source.allocate(tooLong)).isNull();
    }
    source.release(take(source.granularityBytes()));
  }

  @Test
  void releasedMemoryIsToBeHadAgain() {
    for (int round = 0; round < 100; round++) {
      Region region = take(16L << 20);
      source.release(region);
    }
  }

  @Test
  void granularityIsAPowerOfTwo() {
    assertThat(Long.bitCount(source.granularityBytes())).isOne();
    assertThat(source.granularityBytes()).isGreaterThanOrEqualTo(256);
    assertThat(source.maximumRegionBytes()).isGreaterThanOrEqualTo(64L << 20);
  }
}
