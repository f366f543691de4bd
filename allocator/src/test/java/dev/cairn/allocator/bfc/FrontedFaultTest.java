package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the source or a listener does, the front and its heap are whole afterwards, and nothing is lost. */
class FrontedFaultTest {
  @RegisterExtension
  final Validated validated = new Validated();

  /** One run of a fixed script for each call to the source that the script makes: that one call goes wrong. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void aFaultAtEachCallInTurn(Fault fault) {
    int calls = scriptWithFaultAt(Long.MAX_VALUE, fault, true);
    assertThat(calls).isGreaterThan(10);
    for (int at = 0; at < calls; at++) {
      scriptWithFaultAt(at, fault, true);
      scriptWithFaultAt(at, fault, false);
    }
  }

  private int scriptWithFaultAt(long faultAt, Fault fault, boolean contiguous) {
    FakeSubAllocator fake = contiguous ? FakeSubAllocator.contiguous(1L << 40) : FakeSubAllocator.scattered(1L << 40);
    FaultySubAllocator source = new FaultySubAllocator(fake, call -> call == faultAt ? fault : Fault.NONE);
    FrontedAllocator allocator = validated.watch(new FrontedAllocator(source,
      BfcOptions.DEFAULT.withFirstRegionBytes(1024).withGrowth(BfcOptions.Growth.AS_REQUESTED)));
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      AllocatorStats before = allocator.stats();
      AllocationRequest request = AllocationRequest.of((700L * (i % 7 + 1)) << (i / 8));
      try {
        held.add(i % 6 == 5 ? allocator.reserve(request) : allocator.allocate(request));
      } catch (OutOfMemory | IllegalStateException | OutOfMemoryError e) {
        assertUnchanged(before, allocator.stats());
      }
      allocator.validate();
      if (i % 3 == 2 && !held.isEmpty()) {
        freeDespiteOneFault(allocator, held.removeFirst());
      }
      if (i % 10 == 9) {
        trimDespiteOneFault(allocator);
      }
    }
    held.forEach(block -> freeDespiteOneFault(allocator, block));
    closeDespiteOneFault(allocator);
    assertThat(fake.heldBytes()).isZero();
    return (int) source.calls();
  }

  private static void assertUnchanged(AllocatorStats before, AllocatorStats after) {
    assertThat(after.all()).isEqualTo(before.all());
    assertThat(after.pool()).isEqualTo(before.pool());
    assertThat(after.bypass()).isEqualTo(before.bypass());
  }

  /** A block with a region of its own may find that the source doesn't take it; it is then still held. */
  private static void freeDespiteOneFault(FrontedAllocator allocator, Block block) {
    AllocatorStats before = allocator.stats();
    try {
      allocator.free(block);
    } catch (IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasMessageContaining("on purpose");
      assertUnchanged(before, allocator.stats());
      allocator.validate();
      allocator.free(block);
    }
  }

  private static void trimDespiteOneFault(FrontedAllocator allocator) {
    try {
      allocator.trim();
    } catch (IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasMessageContaining("on purpose");
      allocator.validate();
    }
  }

  private static void closeDespiteOneFault(FrontedAllocator allocator) {
    try {
      allocator.close();
    } catch (IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasMessageContaining("on purpose");
      allocator.validate();
      allocator.release(allocator.grant(1000));
      allocator.close();
    }
  }

  private static final class Recorder implements AllocationListener {
    final List<String> heard = new ArrayList<>();
    String failing = "nothing";

    private void hear(String event, long id, long bytes) {
      heard.add(String.format(Locale.ROOT, "%s %d %d", event, id, bytes));
      if (event.equals(failing)) {
        throw new UnsupportedOperationException(event);
      }
    }

    @Override
    public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
      hear("granted", allocationId, bytes);
    }

    @Override
    public void freed(long allocationId, long address, long bytes) {
      hear("freed", allocationId, bytes);
    }

    @Override
    public void regionAdded(long address, long bytes) {
      hear("added", 0, bytes);
    }

    @Override
    public void regionReleased(long address, long bytes) {
      hear("released", 0, bytes);
    }

    @Override
    public void refused(OutOfMemory refusal) {
      hear("refused", 0, refusal.requestedBytes());
    }
  }

  private final Recorder recorder = new Recorder();

  private FrontedAllocator listened() {
    return validated.watch(new FrontedAllocator(FakeSubAllocator.scattered(1 << 24),
      BfcOptions.DEFAULT.withLimitBytes(1 << 20), FrontOptions.DEFAULT, recorder));
  }

  @Test
  void aListenerHearsOfHoldersNotOfMagazines() {
    FrontedAllocator allocator = listened();
    for (int i = 0; i < 3; i++) {
      allocator.free(allocator.allocate(300, "a"));
    }
    assertThatThrownBy(() -> allocator.allocate(1 << 21, "b")).isInstanceOf(OutOfMemory.class);
    allocator.close();
    assertThat(recorder.heard).containsExactly("added 0 1048576", "granted 0 512", "freed 0 512", "granted 1 512",
      "freed 1 512", "granted 2 512", "freed 2 512", "refused 0 2097152", "released 0 1048576");
  }

  @Test
  void aListenerThatThrowsAtAGrantUndoesIt() {
    FrontedAllocator allocator = listened();
    Block held = allocator.allocate(300, "a");
    recorder.failing = "granted";
    for (long bytes : new long[] {300, 100_000}) {
      AllocatorStats before = allocator.stats();
      assertThatThrownBy(() -> allocator.allocate(bytes, "b")).isInstanceOf(UnsupportedOperationException.class);
      assertThat(allocator.stats().liveCount()).isEqualTo(before.liveCount()).isOne();
      allocator.validate();
    }
    recorder.failing = "nothing";
    assertThat(allocator.allocate(300, "c").address()).isEqualTo(held.address() + 512);
  }

  @Test
  void aListenerThatThrowsElsewhereLeavesWhatWasDone() {
    FrontedAllocator allocator = listened();
    recorder.failing = "added";
    assertThatThrownBy(() -> allocator.allocate(300, "a")).isInstanceOf(UnsupportedOperationException.class);
    assertThat(allocator.stats().poolBytes()).isEqualTo(1 << 20);
    assertThat(allocator.stats().liveCount()).isZero();
    Block block = allocator.allocate(300, "a");
    recorder.failing = "freed";
    assertThatThrownBy(() -> allocator.free(block)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(allocator.stats().liveCount()).isZero();
    recorder.failing = "released";
    assertThatThrownBy(allocator::close).isInstanceOf(UnsupportedOperationException.class);
    assertThat(allocator.stats().poolBytes()).isZero();
    allocator.close();
    assertThatIllegalStateException().isThrownBy(allocator::close);
  }

  @Test
  void aListenerHearsOfAFreedBlockAlsoWhenItThrewAtTheReleaseOfItsRegion() {
    FrontedAllocator allocator = listened();
    Block block = allocator.reserve(AllocationRequest.of(300));
    recorder.failing = "released";
    assertThatThrownBy(() -> allocator.free(block)).isInstanceOf(UnsupportedOperationException.class)
      .hasMessage("released");
    assertThat(allocator.stats().liveCount()).isZero();
    assertThat(recorder.heard).containsExactly("added 0 512", "granted 0 512", "released 0 512", "freed 0 512");
  }

  /** A source whose regions merge where they adjoin, which the first of them don't. */
  private record Gapped(FakeSubAllocator fake, int apart, List<Region> gaps) implements SubAllocator {
    @Override
    public MemorySpace space() {
      return fake.space();
    }

    @Override
    public long maximumRegionBytes() {
      return fake.maximumRegionBytes();
    }

    @Override
    public boolean supportsCoalescing() {
      return true;
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      Region region = fake.allocate(bytes);
      if (gaps.size() < apart) {
        gaps.add(Objects.requireNonNull(fake.allocate(256)));
      }
      return region;
    }

    @Override
    public void release(Region region) {
      fake.release(region);
    }
  }

  /** A pool that grows by pages which don't adjoin has a row for each: more than one grant takes otherwise. */
  @Test
  void aGrantThatTakesThousandsOfRowsIsHeldAsAnyOther() {
    FakeSubAllocator fake = FakeSubAllocator.contiguous(1 << 24);
    List<Region> gaps = new ArrayList<>();
    SubAllocator torn = new Gapped(fake, 3000, gaps);
    FrontedAllocator allocator = validated.watch(new FrontedAllocator(torn, BfcOptions.DEFAULT.withFirstRegionBytes(256)
      .withGrowth(BfcOptions.Growth.BY_PAGE)));
    Block block = allocator.allocate(3100 * 256);
    assertThat(allocator.memoryMap().chunkCount()).isEqualTo(3001);
    allocator.validate();
    allocator.free(block);
    allocator.close();
    gaps.forEach(fake::release);
    assertThat(fake.heldBytes()).isZero();
  }
}
