package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.Region;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each invariant, broken by hand, is found under its number. */
class HoldingsCheckTest {
  private final AtomicLong time = new AtomicLong();
  private final Holdings holdings = new Holdings(FakeSubAllocator.scattered(1L << 40),
    StorageOptions.UNLIMITED.withLimitBytes(1 << 20), AllocationListener.silent(), time::incrementAndGet, () -> 0);
  private Chunk held;
  private Chunk first;
  private Chunk second;
  private Chunk third;

  @BeforeEach
  void makeThreeIdleAndOneHeld() {
    held = hold(4096);
    first = hold(8192);
    second = hold(8192);
    third = hold(8192);
    holdings.makeIdle(first);
    holdings.makeIdle(second);
    holdings.makeIdle(third);
    holdings.idle.passed(2);
    assertThatCode(() -> HoldingsCheck.check(holdings)).doesNotThrowAnyException();
  }

  private Chunk hold(long bytes) {
    Chunk chunk = Objects.requireNonNull(holdings.take(bytes));
    holdings.hold(chunk, 1000, 0, Owner.of("someone"));
    return chunk;
  }

  private void isFound(String invariant) {
    assertThatThrownBy(() -> HoldingsCheck.check(holdings)).isInstanceOf(AssertionError.class)
      .hasMessageStartingWith(invariant);
  }

  @Test
  void regionsThatOverlap() {
    ChunkStack stack = holdings.idle.stackForNew(8192);
    Chunk over = new Chunk(Region.withoutHostAccess(first.region.address() + 4096, 8192), stack);
    holdings.slots.add(over);
    holdings.idle.push(over, time.incrementAndGet(), 0);
    isFound("S1 apart");
  }

  @Test
  void aWrongSlot() {
    held.slot = first.slot;
    isFound("S2 slotted");
  }

  @Test
  void aHeldChunkOfWrongSize() {
    held.requestedBytes = 4097;
    isFound("S3 sized");
    held.requestedBytes = 0;
    isFound("S3 sized");
    held.requestedBytes = 100;
    held.prefixBytes = 100;
    isFound("S3 sized");
  }

  @Test
  void anIdleChunkWithAPrefix() {
    first.prefixBytes = 256;
    isFound("S3 sized");
  }

  @Test
  void aChunkThatIsHeldAndIdle() {
    first.allocationId = 1;
    isFound("S4 one place");
  }

  @Test
  void aChunkThatIsNeither() {
    holdings.idle.remove(second);
    isFound("S4 one place");
  }

  @Test
  void aChunkThatIsNotOnItsShelf() {
    second.stack.remove(second);
    isFound("S4 one place");
  }

  @Test
  void aShelfThatMiscounts() {
    first.stack.chunkCount++;
    isFound("S4 one place");
  }

  @Test
  void aStackInAnotherOrder() {
    first.stack.remove(first);
    first.stack.push(first);
    isFound("S5 ordered");
  }

  @Test
  void timesThatFall() {
    third.freedAt = 1;
    isFound("S5 ordered");
    third.freedAt = 0;
    isFound("S5 ordered");
  }

  @Test
  void timedMemoryThatIsNotKnownToBe() {
    first.freedAt = 2;
    isFound("S5 ordered");
  }

  @Test
  void aBrokenLink() {
    second.older = null;
    isFound("S5 ordered");
  }

  @Test
  void figuresThatAreNotTheSums() {
    holdings.figures.regionAdded(256);
    isFound("S6 counted");
  }

  @Test
  void anIdThatWasNeverGiven() {
    held.allocationId = 4;
    isFound("S7 identified");
  }

  @Test
  void anIdGivenTwice() {
    Chunk other = hold(512 << 10);
    other.allocationId = held.allocationId;
    isFound("S7 identified");
  }

  @Test
  void aPoolBeyondItsLimit() {
    ChunkStack stack = holdings.idle.stackForNew(2 << 20);
    Chunk beyond = new Chunk(Region.withoutHostAccess(1L << 50, 2 << 20), stack);
    holdings.slots.add(beyond);
    holdings.figures.regionAdded(2 << 20);
    holdings.idle.push(beyond, time.incrementAndGet(), 0);
    isFound("S8 limited");
  }
}
