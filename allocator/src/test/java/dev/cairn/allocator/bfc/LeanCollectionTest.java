package dev.cairn.allocator.bfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.bfc.BfcOptions.Collection;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.bfc.BfcOptions.Placement;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LeanCollectionTest {
  private static final long UNIT = 1 << 20;
  private static final BfcOptions LEAN = BfcOptions.DEFAULT.withSplit(SplitPolicy.exact()).withGrowth(
    Growth.AS_REQUESTED).withCollection(Collection.BEFORE_GROWTH);

  @Test
  void anIdleRegionMoreThanTwiceAsLongIsGivenBackRatherThanCutUp() {
    var source = FakeSubAllocator.scattered(1L << 40);
    try (var allocator = new BfcAllocator(source, LEAN)) {
      Block large = allocator.allocate(5 * UNIT);
      allocator.free(large);
      Block small = allocator.allocate(2 * UNIT);
      assertEquals(2 * UNIT, source.heldBytes());
      assertEquals(1, source.heldRegions());
      allocator.free(small);
    }
  }

  @Test
  void anIdleRegionTwiceAsLongIsTaken() {
    var source = FakeSubAllocator.scattered(1L << 40);
    try (var allocator = new BfcAllocator(source, LEAN)) {
      Block large = allocator.allocate(4 * UNIT);
      allocator.free(large);
      Block small = allocator.allocate(2 * UNIT);
      assertEquals(large.address(), small.address());
      assertEquals(4 * UNIT, source.heldBytes());
      allocator.free(small);
    }
  }

  @Test
  void aRegionInUseIsCutUpHoweverLong() {
    var source = FakeSubAllocator.scattered(1L << 40);
    try (var allocator = new BfcAllocator(source, LEAN)) {
      Block whole = allocator.allocate(16 * UNIT);
      allocator.free(whole);
      Block half = allocator.allocate(8 * UNIT);
      Block little = allocator.allocate(UNIT);
      assertEquals(1, source.heldRegions());
      allocator.free(half);
      allocator.free(little);
    }
  }

  @Test
  void aTimeHeldRegionThatWasPassedOverServesWhereThePoolCannotGrow() {
    SharedCounter clock = new SharedCounter();
    try (var allocator = new BfcAllocator(FakeSubAllocator.scattered(1L << 40),
      LEAN.withLimitBytes(16 * UNIT).withClock(clock))) {
      Block whole = allocator.allocate(16 * UNIT);
      allocator.free(whole);
      // Merging time-held chunks would not help a request that demands a time.
      Block little = allocator.allocate(AllocationRequest.of(UNIT).withFreedBefore(clock.now()));
      assertEquals(whole.address(), little.address());
      allocator.free(little);
    }
  }

  @Test
  void randomSequencesKeepTheInvariantsAndStayNearWhatIsLive() {
    requireInvariants(0, 5);
  }

  @Test
  @Tag("long")
  void moreRandomSequencesKeepTheInvariants() {
    requireInvariants(5, 20);
  }

  private static void requireInvariants(long first, long end) {
    for (Placement placement : Placement.values()) {
      for (long seed = first; seed < end; seed++) {
        run(new Random(seed), LEAN.withPlacement(placement).withLimitBytes(200 * UNIT));
      }
    }
  }

  private static void run(Random random, BfcOptions options) {
    var source = FakeSubAllocator.scattered(150 * UNIT);
    try (var allocator = new BfcAllocator(source, options)) {
      List<Long> live = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        if (live.isEmpty() || random.nextInt(5) > 1) {
          long handle = allocator.tryGrant(256L * (1 + random.nextInt(1 << random.nextInt(17))));
          if (handle != Block.NO_HANDLE) {
            live.add(handle);
          }
        } else {
          allocator.release(live.remove(random.nextInt(live.size())));
        }
        allocator.validate();
        assertEquals(source.heldBytes(), allocator.stats().poolBytes());
        assertTrue(allocator.stats().poolBytes() <= 150 * UNIT);
      }
      live.forEach(allocator::release);
    }
  }
}
