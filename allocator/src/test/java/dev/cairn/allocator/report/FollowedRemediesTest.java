package dev.cairn.allocator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.OutOfMemory.Reason;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each remedy of a report is followed, and the request that was refused succeeds then. */
class FollowedRemediesTest {
  private static final long MIB = 1L << 20;

  private static SubAllocator source() {
    return FakeSubAllocator.scattered(1L << 40);
  }

  private static BfcOptions options(Growth growth, long limitBytes) {
    return BfcOptions.DEFAULT.withGrowth(growth).withLimitBytes(limitBytes);
  }

  private static OutOfMemory refused(Allocator allocator, long bytes) {
    return catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(bytes));
  }

  private static Optional<Remedy> find(OutOfMemory failure, Remedy.Kind kind) {
    return OomReport.of(failure).remedies().stream().filter(it -> it.kind() == kind).findFirst();
  }

  private static Remedy remedy(OutOfMemory failure, Remedy.Kind kind) {
    return find(failure, kind).orElseThrow(() -> new AssertionError(OomReport.of(failure).text()));
  }

  /** Requests and frees as a seed has them, until one is refused; that one is answered. */
  private static Optional<OutOfMemory> play(BfcAllocator allocator, int seed, int calls) {
    Random random = new Random(seed);
    List<Block> held = new ArrayList<>();
    for (int call = 0; call < calls; call++) {
      long bytes = 1 + random.nextLong(MIB);
      if (!held.isEmpty() && random.nextInt(5) < 2) {
        allocator.free(held.remove(random.nextInt(held.size())));
        continue;
      }
      try {
        held.add(allocator.allocate(bytes));
      } catch (OutOfMemory e) {
        return Optional.of(e.with("call " + call));
      }
    }
    return Optional.empty();
  }

  @Test
  void theLimitIsRaisedAsAdvised() {
    int fragmented = 0;
    for (int seed = 0; seed < 200; seed++) {
      BfcOptions options = options(Growth.AS_REQUESTED, 4 * MIB);
      OutOfMemory failure = play(new BfcAllocator(source(), options), seed, 1000).orElseThrow();
      int call = Integer.parseInt(failure.circumstances().getFirst().substring("call ".length()));
      long raised = options.limitBytes() + remedy(failure, Remedy.Kind.RAISE_LIMIT).bytes();
      assertThat(play(new BfcAllocator(source(), options.withLimitBytes(raised)), seed, call + 1))
        .as("seed=%d reason=%s",
          seed, failure.reason())
        .isEmpty();
      if (failure.reason() == Reason.FRAGMENTATION) {
        fragmented++;
        assertThat(raised).isEqualTo(options.limitBytes() + failure.bytesShort());
        assertThat(play(new BfcAllocator(source(), options.withLimitBytes(raised - Alignment.CHUNK_BYTES)), seed, call
          + 1)).as("seed=%d: a chunk less is too little", seed).isPresent();
      }
    }
    assertThat(fragmented).isPositive();
  }

  /** Four blocks of 1 MiB in regions of their own; the first two are free again. */
  private static Block[] halfFree(Allocator allocator) {
    Block[] blocks = new Block[4];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = allocator.allocate(MIB);
    }
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    return blocks;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thePoolIsTrimmed(boolean sourceIsFull) {
    SubAllocator source = sourceIsFull ? FakeSubAllocator.scattered(4 * MIB) : source();
    BfcAllocator allocator = new BfcAllocator(source, options(Growth.AS_REQUESTED, sourceIsFull ? 1L << 40 : 4 * MIB));
    halfFree(allocator);
    OutOfMemory failure = refused(allocator, 2 * MIB);
    assertThat(failure.reason()).isEqualTo(sourceIsFull ? Reason.SOURCE_REFUSED : Reason.FRAGMENTATION);
    assertThat(remedy(failure, Remedy.Kind.TRIM).bytes()).isEqualTo(2 * MIB);
    assertThat(allocator.trim()).isEqualTo(2 * MIB);
    assertThat(allocator.allocate(2 * MIB).bytes()).isEqualTo(2 * MIB);
  }

  @Test
  void trimmingIsNotAdvisedWhereItWouldNotDo() {
    BfcAllocator allocator = new BfcAllocator(source(), options(Growth.AS_REQUESTED, 4 * MIB));
    halfFree(allocator);
    OutOfMemory failure = refused(allocator, 3 * MIB);
    assertThat(failure.reason()).isEqualTo(Reason.LIMIT);
    assertThat(OomReport.of(failure).remedies()).extracting(Remedy::kind).containsExactly(Remedy.Kind.RAISE_LIMIT);
  }

  @Test
  void theWholeLimitIsTakenInOneRegion() {
    BfcAllocator allocator = new BfcAllocator(source(), options(Growth.AS_REQUESTED, 4 * MIB));
    halfFree(allocator);
    assertThat(remedy(refused(allocator, 2 * MIB), Remedy.Kind.ONE_REGION).bytes()).isEqualTo(4 * MIB);
    BfcAllocator other = new BfcAllocator(source(), options(Growth.WHOLE, 4 * MIB));
    halfFree(other);
    assertThatCode(() -> other.allocate(2 * MIB)).doesNotThrowAnyException();
  }

  @Test
  void regionsThatAdjoinInVirtualMemoryMerge() {
    BfcAllocator allocator = new BfcAllocator(source(), options(Growth.AS_REQUESTED, 4 * MIB));
    halfFree(allocator);
    remedy(refused(allocator, 2 * MIB), Remedy.Kind.VIRTUAL_MEMORY);
    BfcAllocator other = new BfcAllocator(FakeSubAllocator.contiguous(1L << 40), options(Growth.BY_PAGE, 4 * MIB)
      .withFirstRegionBytes(MIB));
    halfFree(other);
    assertThatCode(() -> other.allocate(2 * MIB)).doesNotThrowAnyException();
  }

  @Test
  void anotherUserOfTheSourceEnds() {
    SubAllocator source = FakeSubAllocator.scattered(4 * MIB);
    BfcAllocator allocator = new BfcAllocator(source, options(Growth.AS_REQUESTED, 1L << 40));
    BfcAllocator other = new BfcAllocator(source, options(Growth.AS_REQUESTED, 1L << 40));
    Block block = other.allocate(3 * MIB);
    OutOfMemory failure = refused(allocator, 2 * MIB);
    assertThat(failure.reason()).isEqualTo(Reason.SOURCE_REFUSED);
    assertThat(OomReport.of(failure).remedies()).extracting(Remedy::kind).containsExactly(Remedy.Kind.END_OTHERS);
    other.free(block);
    other.close();
    assertThatCode(() -> allocator.allocate(2 * MIB)).doesNotThrowAnyException();
  }

  @Test
  void lessIsAskedFor() {
    BfcAllocator allocator = new BfcAllocator(source(), options(Growth.AS_REQUESTED, 4 * MIB));
    Block[] blocks = halfFree(allocator);
    allocator.free(blocks[3]);
    OutOfMemory failure = refused(allocator, 3 * MIB);
    assertThat(failure.reason()).isEqualTo(Reason.FRAGMENTATION);
    assertThat(allocator.allocate(remedy(failure, Remedy.Kind.ASK_FOR_LESS).bytes()).bytes()).isEqualTo(MIB);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theStreamsAreWaitedFor(boolean demandsNoTime) {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = new BfcAllocator(source(), options(Growth.WHOLE, 4 * MIB).withClock(clock));
    for (int time = 0; time < 10; time++) {
      clock.next();
    }
    Block[] blocks = halfFree(allocator);
    allocator.free(blocks[2]);
    allocator.free(blocks[3]);
    AllocationRequest request = AllocationRequest.of(MIB).withFreedBefore(1);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(request));
    assertThat(failure.reason()).isEqualTo(Reason.TIME_HELD);
    assertThat(remedy(failure, Remedy.Kind.WAIT).sentence()).contains("until time 14");
    if (demandsNoTime) {
      assertThatCode(() -> allocator.allocate(MIB)).doesNotThrowAnyException();
      return;
    }
    assertThatThrownBy(() -> allocator.allocate(request)).isInstanceOf(OutOfMemory.class);
    allocator.setSafeFrontier(15);
    assertThatCode(() -> allocator.allocate(request)).doesNotThrowAnyException();
  }

  /**
   * Requires a test here for each kind of remedy, except for a budget that sessions share, which MemoryBudgetTest of
   * the runtime follows, and for other ways of a plan, which RecomputeBitsTest follows.
   */
  @Test
  void everyKindIsFollowedHere() {
    assertThat(Remedy.Kind.values()).containsExactlyInAnyOrder(Remedy.Kind.RAISE_LIMIT, Remedy.Kind.RAISE_BUDGET,
      Remedy.Kind.TRIM, Remedy.Kind.ONE_REGION, Remedy.Kind.VIRTUAL_MEMORY, Remedy.Kind.END_OTHERS,
      Remedy.Kind.ASK_FOR_LESS, Remedy.Kind.OTHER_WAY,
      Remedy.Kind.WAIT);
  }
}
