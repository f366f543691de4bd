package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the pool grows: lengths asked for, back-off, limit, adjoining regions, slack. */
class BfcExtensionTest {
  private static final long MIB = 1 << 20;

  @RegisterExtension
  final Validated validated = new Validated();

  private BfcAllocator over(SubAllocator source, BfcOptions options) {
    return validated.watch(new BfcAllocator(source, options));
  }

  private static List<Long> regionBytes(BfcAllocator allocator) {
    return allocator.memoryMap().regions().stream().map(MemoryMap.RegionEntry::bytes).toList();
  }

  @Test
  void regionsDouble() {
    BfcAllocator allocator = over(FakeSubAllocator.scattered(Long.MAX_VALUE), BfcOptions.DEFAULT);
    for (int i = 0; i < 31; i++) {
      allocator.grant(MIB);
    }
    assertThat(regionBytes(allocator)).containsExactly(2 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 32 * MIB);
  }

  @Test
  void aRegionDoubledForItsRequestDoesNotDoubleTheNext() {
    BfcAllocator allocator = over(FakeSubAllocator.scattered(Long.MAX_VALUE), BfcOptions.DEFAULT);
    allocator.grant(60 * MIB);
    allocator.grant(60 * MIB);
    allocator.grant(60 * MIB);
    assertThat(regionBytes(allocator)).containsExactly(64 * MIB, 64 * MIB, 128 * MIB);
  }

  @Test
  void theLastRegionIsWhatTheLimitLeaves() {
    BfcAllocator allocator = over(FakeSubAllocator.scattered(Long.MAX_VALUE),
      BfcOptions.DEFAULT.withLimitBytes(10 * MIB + 300));
    for (int i = 0; i < 10; i++) {
      allocator.grant(MIB);
    }
    assertThat(regionBytes(allocator)).containsExactly(2 * MIB, 4 * MIB, 4 * MIB + 256);
    assertThat(allocator.tryGrant(MIB)).isEqualTo(Block.NO_HANDLE);
  }

  @Test
  void wholeTakesTheLimitAtTheFirstRequest() {
    FakeSubAllocator source = FakeSubAllocator.scattered(Long.MAX_VALUE);
    BfcAllocator allocator = over(source, BfcOptions.DEFAULT.withLimitBytes(MIB).withGrowth(Growth.WHOLE));
    assertThat(source.heldBytes()).isZero();
    allocator.grant(1);
    assertThat(source.heldBytes()).isEqualTo(MIB);
  }

  @Test
  void asRequestedTakesNoMore() {
    BfcAllocator allocator = over(FakeSubAllocator.scattered(Long.MAX_VALUE),
      BfcOptions.DEFAULT.withGrowth(Growth.AS_REQUESTED));
    allocator.grant(1000);
    allocator.grant(7 * MIB + 1);
    assertThat(regionBytes(allocator)).containsExactly(1024L, 7 * MIB + 256);
  }

  /** Records what it is asked for; gives at most {@code most} at a time. */
  private static final class Stingy implements SubAllocator {
    final List<Long> asked = new ArrayList<>();
    private final FakeSubAllocator upstream = FakeSubAllocator.scattered(Long.MAX_VALUE);
    private final long most;
    private final long granularity;

    Stingy(long most, long granularity) {
      this.most = most;
      this.granularity = granularity;
    }

    @Override
    public MemorySpace space() {
      return upstream.space();
    }

    @Override
    public long granularityBytes() {
      return granularity;
    }

    @Override
    public long maximumRegionBytes() {
      return upstream.maximumRegionBytes();
    }

    @Override
    public boolean supportsCoalescing() {
      return false;
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      asked.add(bytes);
      return bytes > most ? null : upstream.allocate(bytes);
    }

    @Override
    public void release(Region region) {
      upstream.release(region);
    }
  }

  @Test
  void aRefusalIsFollowedByNineTenths() {
    Stingy source = new Stingy(8000, 256);
    over(source, BfcOptions.DEFAULT.withFirstRegionBytes(10240)).grant(5000);
    assertThat(source.asked).containsExactly(10240L, 9216L, 8448L, 7680L);
  }

  @Test
  void smallRegionsStillShrinkByAChunk() {
    Stingy source = new Stingy(0, 256);
    BfcAllocator allocator = over(source, BfcOptions.DEFAULT.withFirstRegionBytes(2048));
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(1, "a"));
    assertThat(source.asked).containsExactly(2048L, 1792L, 1536L, 1280L, 1024L, 768L, 512L, 256L);
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.SOURCE_REFUSED);
    assertThat(failure.bytesShort()).isEqualTo(256);
  }

  @Test
  void aFailedRequestDoesNotLengthenTheNextRegion() {
    Stingy source = new Stingy(4 * MIB, 256);
    BfcAllocator allocator = over(source, BfcOptions.DEFAULT);
    assertThat(allocator.tryGrant(100 * MIB)).isEqualTo(Block.NO_HANDLE);
    allocator.grant(1);
    assertThat(regionBytes(allocator)).containsExactly(2 * MIB);
  }

  @Test
  void regionsAreWholeGranules() {
    Stingy source = new Stingy(7 * MIB, 2 * MIB);
    BfcAllocator allocator = over(source, BfcOptions.DEFAULT.withLimitBytes(15 * MIB));
    allocator.grant(5 * MIB);
    allocator.grant(3 * MIB);
    allocator.grant(3 * MIB);
    assertThat(source.asked).allMatch(bytes -> bytes % (2 * MIB) == 0);
    assertThat(regionBytes(allocator)).containsExactly(6 * MIB, 6 * MIB);
    // 3 MiB are left of the limit: one granule.
    assertThat(allocator.tryGrant(3 * MIB)).isEqualTo(Block.NO_HANDLE);
    assertThat(allocator.tryGrant(MIB + 1)).isNotEqualTo(Block.NO_HANDLE);
    assertThat(allocator.stats().poolBytes()).isLessThanOrEqualTo(15 * MIB);
  }

  @Test
  void aChunkMayLieAcrossAdjoiningRegions() {
    FakeSubAllocator source = FakeSubAllocator.contiguous(Long.MAX_VALUE);
    BfcAllocator allocator = over(source, BfcOptions.DEFAULT);
    long half = allocator.grant(MIB);
    long across = allocator.grant(4 * MIB);
    assertThat(allocator.addressOf(across)).isEqualTo(allocator.addressOf(half) + MIB);
    assertThat(regionBytes(allocator)).containsExactly(6 * MIB);
    assertThat(source.heldRegions()).isEqualTo(2);
    allocator.release(half);
    allocator.release(across);
    allocator.close();
    assertThat(source.heldRegions()).isZero();
  }

  @Test
  void slackIsHandedOutWholeBelowTheRule() {
    BfcOptions exactRegions = BfcOptions.DEFAULT.withGrowth(Growth.WHOLE).withLimitBytes(1024);
    BfcAllocator standard = over(FakeSubAllocator.scattered(Long.MAX_VALUE), exactRegions);
    assertThat(standard.blockOf(standard.grant(768)).bytes()).isEqualTo(1024);
    BfcAllocator half = over(FakeSubAllocator.scattered(Long.MAX_VALUE), exactRegions);
    assertThat(half.blockOf(half.grant(512)).bytes()).isEqualTo(512);
    BfcAllocator exact = over(FakeSubAllocator.scattered(Long.MAX_VALUE), exactRegions.withSplit(SplitPolicy.exact()));
    assertThat(exact.blockOf(exact.grant(768)).bytes()).isEqualTo(768);
  }

  @Test
  void slackOfTheLimitSplits() {
    BfcOptions options = BfcOptions.DEFAULT.withGrowth(Growth.WHOLE).withLimitBytes(512 * MIB);
    BfcAllocator whole = over(FakeSubAllocator.scattered(Long.MAX_VALUE), options);
    assertThat(whole.blockOf(whole.grant(384 * MIB + 1)).bytes()).isEqualTo(512 * MIB);
    BfcAllocator cut = over(FakeSubAllocator.scattered(Long.MAX_VALUE), options);
    assertThat(cut.blockOf(cut.grant(384 * MIB)).bytes()).isEqualTo(384 * MIB);
    SplitPolicy quarter = SplitPolicy.doubleOrFraction(0.25, 1000);
    assertThat(quarter.splits(1280, 1024)).isTrue();
    assertThat(quarter.splits(1273, 1024)).isFalse();
  }

  @Test
  void badOptionsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> BfcOptions.DEFAULT.withLimitBytes(-1))
      .withMessageContaining("limitBytes=-1");
    assertThatIllegalArgumentException().isThrownBy(() -> BfcOptions.DEFAULT.withFirstRegionBytes(100))
      .withMessageContaining("firstRegionBytes=100");
    assertThatIllegalArgumentException().isThrownBy(() -> BfcOptions.DEFAULT.withFirstRegionBytes(0));
    assertThatIllegalArgumentException().isThrownBy(() -> SplitPolicy.doubleOrSlack(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> SplitPolicy.doubleOrFraction(Double.NaN, 1));
  }

  @Test
  void aLimitOfNothingGivesNothing() {
    for (long limit : new long[] {0, 255}) {
      BfcAllocator allocator = over(FakeSubAllocator.scattered(Long.MAX_VALUE),
        BfcOptions.DEFAULT.withLimitBytes(limit));
      OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(1, "a"));
      assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    }
  }

  /** Gives every time the region that is set, and counts what comes back. */
  private static final class Lying implements SubAllocator {
    Region answer = Region.withoutHostAccess(4096, 256);
    MemorySpace space = MemorySpace.device(0);
    int released;

    @Override
    public MemorySpace space() {
      return space;
    }

    @Override
    public long maximumRegionBytes() {
      return 1 << 30;
    }

    @Override
    public boolean supportsCoalescing() {
      return true;
    }

    @Override
    public Region allocate(long bytes) {
      return answer;
    }

    @Override
    public void release(Region region) {
      released++;
    }
  }

  @Test
  void aSourceThatBreaksItsContractIsFoundOut() {
    Lying source = new Lying();
    BfcAllocator allocator = over(source, BfcOptions.DEFAULT.withGrowth(Growth.AS_REQUESTED));
    allocator.grant(256);
    assertThatIllegalStateException().isThrownBy(() -> allocator.grant(256))
      .withMessageContaining("overlaps");
    assertThatIllegalStateException().isThrownBy(() -> allocator.grant(512))
      .withMessageContaining("askedBytes=512");
    source.answer = Region.withoutHostAccess(8192 + 64, 256);
    assertThatIllegalStateException().isThrownBy(() -> allocator.grant(256));
    assertThat(source.released).isEqualTo(3);
    assertThat(allocator.stats().poolBytes()).isEqualTo(256);
  }

  @Test
  void segmentsDoNotReachOverBorders() {
    Lying source = new Lying();
    source.space = MemorySpace.PINNED;
    assertThatIllegalArgumentException().isThrownBy(() -> new BfcAllocator(source, BfcOptions.DEFAULT))
      .withMessageContaining("space=pinned");
  }

  @Test
  void aRequestOfMorePagesThanThereCanBeIsRefusedAtOnce() {
    FakeSubAllocator source = FakeSubAllocator.contiguous(Long.MAX_VALUE);
    BfcAllocator allocator = new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.BY_PAGE));
    assertThat(allocator.tryGrant(1L << 60)).isEqualTo(Block.NO_HANDLE);
    assertThat(source.heldRegions()).isZero();
    allocator.release(allocator.grant(1L << 30));
    allocator.close();
  }

  /** A source without memory, which may say how much others left it. */
  private record Exhausted(Supplier<OptionalLong> left) implements SubAllocator {
    @Override
    public MemorySpace space() {
      return MemorySpace.device(1);
    }

    @Override
    public long maximumRegionBytes() {
      return 1L << 40;
    }

    @Override
    public boolean supportsCoalescing() {
      return false;
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      return null;
    }

    @Override
    public void release(Region region) {}

    @Override
    public OptionalLong freeBytes() {
      return left.get();
    }
  }

  @Test
  void aRefusalByTheSourceSaysWhatTheSourceHasLeft() {
    BfcAllocator asked = over(new Exhausted(() -> OptionalLong.of(12_345)), BfcOptions.DEFAULT);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> asked.grant(MIB)).circumstances()).containsExactly(
      MemorySpace.device(1) + " has 12345 bytes free");
    BfcAllocator unknown = over(new Exhausted(OptionalLong::empty), BfcOptions.DEFAULT);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> unknown.grant(MIB)).circumstances()).isEmpty();
    BfcAllocator broken = over(new Exhausted(() -> {
      throw new IllegalStateException("lost");
    }), BfcOptions.DEFAULT);
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> broken.grant(MIB)).getSuppressed()).hasSize(1);
  }
}
