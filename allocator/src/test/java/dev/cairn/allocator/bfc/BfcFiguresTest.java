package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.testing.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each figure counts; who is said to hold what; how long something is known to be idle. */
class BfcFiguresTest {
  private static final long MIB = 1 << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  private final ManualClock clock = new ManualClock();
  private final BfcAllocator allocator = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1L << 40),
    BfcOptions.DEFAULT.withLimitBytes(64 * MIB).withSplit(SplitPolicy.exact())));

  @Test
  void aMebibyteIsSmallAndTheNextChunkIsLarge() {
    Block small = allocator.allocate(MIB - 10);
    Block large = allocator.allocate(MIB + 1);
    AllocatorStats stats = allocator.stats();
    assertThat(stats.small()).isEqualTo(
      new AllocatorStats.Blocks(Gauge.of(1), Gauge.of(MIB), Gauge.of(MIB - 10)));
    assertThat(stats.large()).isEqualTo(
      new AllocatorStats.Blocks(Gauge.of(1), Gauge.of(MIB + 256), Gauge.of(MIB + 1)));
    assertThat(stats.all()).isEqualTo(
      new AllocatorStats.Blocks(Gauge.of(2), Gauge.of(2 * MIB + 256), Gauge.of(2 * MIB - 9)));
    allocator.free(large);
    assertThat(allocator.stats().large().bytes()).isEqualTo(new Gauge(0, MIB + 256, MIB + 256));
    allocator.free(small);
  }

  @Test
  void onlyFreeChunksBesideBlocksAreSplits() {
    Block[] blocks = {allocator.allocate(1000), allocator.allocate(1000), allocator.allocate(1000)};
    assertThat(allocator.stats().freeSplits()).isEqualTo(Gauge.of(1));
    allocator.free(blocks[1]);
    assertThat(allocator.stats().freeSplits()).isEqualTo(Gauge.of(2));
    assertThat(allocator.stats().freeSplitBytes().current()).isEqualTo(2 * MIB - 2048);
    allocator.free(blocks[0]);
    allocator.free(blocks[2]);
    assertThat(allocator.stats().freeSplits()).isEqualTo(new Gauge(0, 2, 2));
    assertThat(allocator.stats().freeSplitBytes().current()).isZero();
    assertThat(allocator.stats().largestFreeBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void refusalsAreCountedButNotThoseOfMemoryOneCanDoWithout() {
    assertThatThrownBy(() -> allocator.allocate(65 * MIB)).isInstanceOf(OutOfMemory.class);
    assertThatThrownBy(() -> allocator.grant(65 * MIB)).isInstanceOf(OutOfMemory.class);
    assertThatThrownBy(() -> allocator.reserve(AllocationRequest.of(65 * MIB))).isInstanceOf(OutOfMemory.class);
    assertThat(allocator.tryGrant(65 * MIB)).isEqualTo(Block.NO_HANDLE);
    assertThat(allocator.stats().refusalCount()).isEqualTo(3);
    allocator.clearStats();
    assertThat(allocator.stats().refusalCount()).isZero();
  }

  @Test
  void clearingBeginsEachFigureAnew() {
    Block held = allocator.allocate(2 * MIB);
    Block reserved = allocator.reserve(AllocationRequest.of(1000));
    allocator.free(allocator.allocate(3 * MIB));
    AllocatorStats before = allocator.stats();
    assertThat(allocator.clearStats()).isEqualTo(before);
    AllocatorStats after = allocator.stats();
    List<Gauge> old = gauges(before);
    for (int i = 0; i < old.size(); i++) {
      long now = old.get(i).current();
      assertThat(gauges(after).get(i)).isEqualTo(new Gauge(now, now, 0));
    }
    assertThat(after.largestBytes()).isZero();
    assertThat(after.reserveCount()).isZero();
    assertThat(allocator.clearStats()).isEqualTo(after);
    allocator.free(reserved);
    allocator.free(held);
    for (Gauge gauge : List.of(allocator.stats().all().count(), allocator.stats().bypass())) {
      assertThat(gauge.current()).isZero();
      assertThat(gauge.total()).isZero();
    }
    assertThat(allocator.allocate(10).allocationId()).isEqualTo(3);
  }

  private static List<Gauge> gauges(AllocatorStats stats) {
    return List.of(stats.all().count(), stats.all().bytes(), stats.all().requestedBytes(), stats.small().count(),
      stats.small().bytes(), stats.small().requestedBytes(), stats.large().count(), stats.large().bytes(),
      stats.large().requestedBytes(), stats.pool(), stats.regions(), stats.freeSplits(), stats.freeSplitBytes(),
      stats.bypass());
  }

  @Test
  void fragmentationIsNoNumberThatIsNone() {
    assertThat(allocator.stats().fragmentation()).isZero();
    Block[] blocks = {allocator.allocate(MIB), allocator.allocate(MIB)};
    assertThat(allocator.stats().fragmentation()).isZero();
    allocator.free(blocks[0]);
    assertThat(allocator.stats().fragmentation()).isZero();
    Block between = allocator.allocate(512);
    allocator.free(blocks[1]);
    allocator.free(allocator.allocate(256));
    assertThat(allocator.stats().fragmentation()).isBetween(0.0, 1.0);
    allocator.free(between);
  }

  @Test
  void anOwnerHasOneNumberForEver() {
    Owner conv = new Owner("conv1", "conv1:0", "f32[1,64]");
    int number = allocator.ownerNumber(conv);
    assertThat(allocator.ownerNumber(Owner.of("relu", "relu:0"))).isEqualTo(number + 1);
    assertThat(allocator.ownerNumber(new Owner("conv1", "conv1:0", "f32[1,64]"))).isEqualTo(number);
    assertThat(allocator.ownerNumber(Owner.NONE)).isZero();
    assertThat(allocator.ownerNumber(new Owner("", "", ""))).isZero();
    allocator.beginStep(41);
    long byNumber = allocator.grant(100, number);
    allocator.beginStep(-2);
    Block byRequest = allocator.allocate(AllocationRequest.of(100, conv));
    Block pinned = allocator.reserve(AllocationRequest.of(100, conv));
    MemoryMap map = allocator.memoryMap();
    assertThat(map.owners().get(number)).isEqualTo(conv);
    assertThat(map.chunks().filter(MemoryMap.ChunkEntry::inUse)).extracting(MemoryMap.ChunkEntry::owner)
      .containsExactly(conv, conv, conv);
    assertThat(map.chunks().filter(MemoryMap.ChunkEntry::inUse)).extracting(MemoryMap.ChunkEntry::step)
      .containsExactly(41, -2, -2);
    allocator.release(byNumber);
    allocator.free(byRequest);
    allocator.free(pinned);
    assertThat(allocator.memoryMap().chunks()).allMatch(chunk -> chunk.owner().isNone() && chunk.step() == 0);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.grant(1, number + 2));
  }

  /** Programs with arrays of ever new shapes make ever new owners. */
  @Test
  void ownersThatHoldNothingTakeNoRoom() {
    BfcAllocator allocator = new BfcAllocator(FakeSubAllocator.scattered(1 << 20), BfcOptions.DEFAULT);
    int kept = allocator.ownerNumber(Owner.of("kept"));
    Block held = allocator.allocate(100, "held");
    for (int i = 0; i < 20_000; i++) {
      allocator.free(allocator.allocate(100, "op" + i));
    }
    assertThat(allocator.memoryMap().owners()).hasSizeLessThan(1_100);
    assertThat(allocator.memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse).map(MemoryMap.ChunkEntry::owner))
      .containsExactly(Owner.of("held"));
    assertThat(allocator.ownerNumber(Owner.of("kept"))).isEqualTo(kept);
    allocator.release(allocator.grant(100, kept));
    allocator.free(held);
    allocator.close();
  }

  @Test
  void namesMadeUpWithoutEndShareANumber() {
    Owners owners = new Owners(1000);
    for (int i = 1; i < 1000; i++) {
      assertThat(owners.numberOf(Owner.of("n" + i))).isEqualTo(i);
    }
    int late = owners.numberOf(Owner.of("late"));
    assertThat(owners.numberOf(Owner.of("later"))).isEqualTo(late);
    assertThat(owners.numberOf(Owner.of("n5"))).isEqualTo(5);
    assertThat(owners.owner(late).label()).contains("too many owners");
    assertThat(owners.isKnown(late)).isTrue();
    assertThat(owners.isKnown(late + 1)).isFalse();
  }

  /** No clock can say otherwise: all that is known of the time before is that nothing was idle then. */
  @Test
  void aRegionIdleSinceTheNextOperationWasNotIdleBefore() {
    Duration age = Duration.ofMillis(5);
    Duration nearly = age.minusNanos(1);
    BfcAllocator timed = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT,
      AllocationListener.silent(), clock));
    long handle = timed.grant(1000);
    assertThat(timed.trim(new TrimPolicy(0, age))).isZero();
    clock.advance(age.plusMillis(1));
    timed.release(handle);
    assertThat(timed.trim(new TrimPolicy(0, age))).isZero();
    clock.advance(nearly);
    assertThat(timed.trim(new TrimPolicy(0, age))).isZero();
    clock.advance(age.minus(nearly));
    assertThat(timed.trim(new TrimPolicy(0, age))).isEqualTo(2 * MIB);
  }

  @Test
  void idleTimesAnswerWithTheLastOperationThatIsOldEnough() {
    IdleTimes times = new IdleTimes(clock);
    long second = Duration.ofSeconds(1).toNanos();
    assertThat(times.before(10 * second, 100, 0)).isEqualTo(-1);
    assertThat(times.before(10 * second, 200, 5 * second)).isEqualTo(-1);
    assertThat(times.before(10 * second, 300, 10 * second)).isEqualTo(100);
    assertThat(times.before(10 * second, 400, 14 * second)).isEqualTo(100);
    assertThat(times.before(10 * second, 500, 15 * second)).isEqualTo(200);
    assertThat(times.before(10 * second, 600, 1000 * second)).isEqualTo(500);
    assertThat(times.before(Duration.ZERO, 700)).isEqualTo(Long.MAX_VALUE);
  }

  /** However often it is asked meanwhile, what is long idle is known to be, a little late. */
  @ParameterizedTest
  @ValueSource(longs = {1, 16, 1000, 5000, 20_000})
  void idleTimesReachBackForAnyAge(long age) {
    IdleTimes times = new IdleTimes(clock);
    Random random = new Random(age);
    for (int now = 0; now < 4 * age + 3000; now += 1 + random.nextInt(2)) {
      long known = times.before(age, now, now);
      assertThat(known).isLessThanOrEqualTo(Math.max(-1, now - age)).isGreaterThanOrEqualTo(
        now < age ? -1 : Math.max(0, now - age - age / 4 - 2));
    }
  }

  /** Asked without pause, it keeps what it must know and forgets the rest. */
  @Test
  void idleTimesAskedAllTheTimeStayRight() {
    IdleTimes times = new IdleTimes(clock);
    long known = -1;
    for (int now = 0; now < 10_000; now++) {
      known = times.before(500, now, now);
      assertThat(known).isBetween(now < 500 ? -1L : 0L, (long) Math.max(-1, now - 500));
    }
    assertThat(known).isGreaterThan(8_000);
  }
}
