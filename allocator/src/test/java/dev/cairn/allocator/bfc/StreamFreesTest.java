package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.StreamProgress;
import dev.cairn.allocator.StreamTime;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Memory that is freed while streams may still use it: each stream has an order of its own. */
class StreamFreesTest {
  private static final int STREAMS = 4;
  private static final long KIB = 1024;

  @RegisterExtension
  final Validated validated = new Validated();
  /** The time that each stream has passed. */
  private final long[] passed = new long[STREAMS];
  private int questions;

  private BfcAllocator allocator(BfcOptions options) {
    return validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 20), options.withSplit(SplitPolicy.exact()),
      AllocationListener.silent(), (stream, time) -> {
        questions++;
        return time <= passed[stream];
      }));
  }

  private static BfcOptions fixed(long bytes) {
    return BfcOptions.DEFAULT.withLimitBytes(bytes).withGrowth(BfcOptions.Growth.WHOLE);
  }

  private static AllocationRequest on(int stream, long bytes) {
    return AllocationRequest.of(bytes).withStream(stream);
  }

  @Test
  void aStreamReusesWhatWasFreedOnItAtOnce() {
    BfcAllocator allocator = allocator(BfcOptions.DEFAULT);
    Block block = allocator.allocate(on(1, KIB));
    for (int time = 1; time < 1000; time++) {
      allocator.free(block, 1, time);
      Block next = allocator.allocate(on(1, KIB));
      assertThat(next.address()).isEqualTo(block.address());
      block = next;
    }
    assertThat(questions).as("the streams are not asked, since memory is there").isZero();
    allocator.free(block);
  }

  @Test
  void anotherStreamWaitsForTheTimeOfTheFree() {
    BfcAllocator allocator = allocator(fixed(2 * KIB));
    Block block = allocator.allocate(on(1, KIB));
    Block other = allocator.allocate(on(1, KIB));
    allocator.free(block, 1, 7);
    passed[1] = 6;
    for (AllocationRequest request : List.of(on(2, KIB), AllocationRequest.of(KIB))) {
      OutOfMemory refused = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(request));
      assertThat(refused.reason()).isEqualTo(OutOfMemory.Reason.TIME_HELD);
      assertThat(refused.bytesShort()).isEqualTo(KIB);
      assertThat(refused).hasMessageContaining("wait for the streams");
      assertThat(OomReport.of(refused).toString()).contains("time-held", "wait for streams that use 1.0 KiB");
    }
    assertThat(allocator.memoryMap().chunks().filter(it -> !it.inUse()).findFirst().orElseThrow()).satisfies(it -> {
      assertThat(it.freedAt()).isEqualTo(7);
      assertThat(it.stream()).isEqualTo(1);
    });
    passed[1] = 7;
    Block next = allocator.allocate(on(2, KIB));
    assertThat(next.address()).isEqualTo(block.address());
    allocator.free(next);
    allocator.free(other);
  }

  @Test
  void aSlowStreamHoldsNothingOfAFastOne() {
    BfcAllocator allocator = allocator(fixed(3 * KIB));
    Block[] blocks = {allocator.allocate(KIB), allocator.allocate(KIB), allocator.allocate(KIB)};
    allocator.free(blocks[0], 1, 1);
    allocator.free(blocks[1], 2, 1);
    allocator.free(blocks[2], 2, 2);
    passed[2] = 2;
    Block both = allocator.allocate(on(3, 2 * KIB));
    assertThat(both.address()).isEqualTo(blocks[1].address());
    assertThat(allocator.stats().timeHeldBytes()).isEqualTo(KIB);
    allocator.free(both);
  }

  @Test
  void freesOfAStreamMayComeOutOfItsOrder() {
    BfcAllocator allocator = allocator(fixed(2 * KIB));
    Block first = allocator.allocate(KIB);
    Block second = allocator.allocate(KIB);
    allocator.free(second, 1, 9);
    allocator.free(first, 1, 3);
    passed[1] = 3;
    assertThat(allocator.allocate(on(2, KIB)).address()).isEqualTo(first.address());
    assertThat(allocator.awaitedBytes()).isEqualTo(KIB);
  }

  @Test
  void neighboursOfOneStreamJoinBeforeThePoolGrows() {
    BfcAllocator allocator = allocator(BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED));
    allocator.free(allocator.allocate(4 * KIB));
    Block[] blocks = new Block[4];
    Arrays.setAll(blocks, _ -> allocator.allocate(on(1, KIB)));
    for (int i = 0; i < blocks.length; i++) {
      allocator.free(blocks[i], 1, i + 1);
    }
    assertThat(allocator.allocate(on(1, 4 * KIB)).address()).isEqualTo(blocks[0].address());
    assertThat(allocator.stats().poolBytes()).isEqualTo(4 * KIB);
  }

  /** A stream that comes after another one's work may have its memory, before the pool grows for a large request. */
  @Test
  void aLargeRequestWaitsOnTheDeviceForAnotherStream() {
    List<String> waits = new ArrayList<>();
    BfcAllocator allocator = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1L << 30),
      BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED).withSplit(SplitPolicy.exact()), AllocationListener
        .silent(),
      new StreamProgress() {
        @Override
        public boolean hasPassed(int stream, long time) {
          return false;
        }

        @Override
        public boolean comesAfter(int waiting, int stream, long time) {
          waits.add(waiting + " after " + stream + ":" + time);
          return waiting != 3;
        }
      }));
    Block large = allocator.allocate(on(1, 8 << 20));
    Block small = allocator.allocate(on(1, KIB));
    allocator.free(large, 1, 5);
    allocator.free(small, 1, 6);
    assertThat(allocator.allocate(on(2, KIB)).address()).isNotEqualTo(small.address());
    assertThat(waits).isEmpty();
    assertThat(allocator.allocate(on(3, 6 << 20)).address()).as("it cannot wait").isNotEqualTo(large.address());
    Block part = allocator.allocate(on(2, 6 << 20));
    assertThat(part.address()).isEqualTo(large.address());
    assertThat(waits).containsExactly("3 after 1:5", "2 after 1:5");
    Block rest = allocator.allocate(on(1, 2 << 20));
    assertThat(rest.address()).as("the rest is still the first stream's").isEqualTo(large.address() + (6 << 20));
    assertThat(allocator.allocate(8 << 20).address()).as("the host waits for no stream").isNotEqualTo(large.address());
    assertThat(waits).hasSize(2);
  }

  @Test
  void neighboursOfSeveralStreamsStayApart() {
    BfcAllocator allocator = allocator(fixed(2 * KIB));
    Block one = allocator.allocate(KIB);
    Block two = allocator.allocate(KIB);
    allocator.free(one, 1, 1);
    allocator.free(two, 2, 1);
    OutOfMemory refused = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(on(1, 2 * KIB)));
    assertThat(refused.reason()).isEqualTo(OutOfMemory.Reason.TIME_HELD);
    assertThat(allocator.allocate(on(2, KIB)).address()).isEqualTo(two.address());
  }

  /** A handle without demands is a request of no stream. */
  @Test
  void aPrimitiveGrantTakesNothingOfAStream() {
    BfcAllocator allocator = allocator(fixed(KIB));
    allocator.free(allocator.allocate(KIB), 1, 1);
    assertThat(allocator.tryGrant(KIB)).isEqualTo(Block.NO_HANDLE);
    passed[1] = 1;
    allocator.release(allocator.grant(KIB));
  }

  @Test
  void trimAsksTheStreams() {
    BfcAllocator allocator = allocator(fixed(KIB));
    allocator.free(allocator.allocate(KIB), 1, 1);
    assertThat(allocator.trim()).isZero();
    passed[1] = 1;
    assertThat(allocator.trim()).isEqualTo(KIB);
  }

  @Test
  void aWrongFreeChangesNothing() {
    BfcAllocator allocator = allocator(BfcOptions.DEFAULT);
    Block block = allocator.allocate(KIB);
    for (int stream : new int[] {-1, StreamTime.MAXIMUM_STREAM + 1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(block, stream, 1));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(block, 1, 0));
    assertThat(allocator.stats().liveCount()).isOne();
    allocator.free(block, 1, 1);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(block, 1, 2)).withMessageContaining("already");
  }

  /** Bytes that a stream may use until it has passed a time. */
  private record Use(long address, long end, int stream, long time) {}

  /** The user of a block waited for the stream that it was granted for, so that its use covers all earlier ones. */
  private static void use(List<Use> uses, Use last) {
    for (Use use : List.copyOf(uses)) {
      if (use.address < last.end && last.address < use.end) {
        uses.remove(use);
        if (use.address < last.address) {
          uses.add(new Use(use.address, last.address, use.stream, use.time));
        }
        if (last.end < use.end) {
          uses.add(new Use(last.end, use.end, use.stream, use.time));
        }
      }
    }
    uses.add(last);
  }

  /** However streams run, no request is given bytes that another stream still uses. */
  @Test
  void noStreamIsGivenWhatAnotherStillUses() {
    for (int seed = 0; seed < 60; seed++) {
      requireNoneShared(new Random(seed));
    }
  }

  private void requireNoneShared(Random random) {
    Arrays.fill(passed, 0);
    BfcAllocator allocator = allocator(fixed(64 * KIB).withGrowth(BfcOptions.Growth.values()[random.nextInt(3)])
      .withCollection(BfcOptions.Collection.AT_THE_LIMIT));
    long[] given = new long[STREAMS];
    List<Block> held = new ArrayList<>();
    List<Use> uses = new ArrayList<>();
    int reused = 0;
    for (int call = 0; call < 600; call++) {
      int stream = random.nextInt(STREAMS);
      if (random.nextInt(5) == 0) {
        passed[stream] += random.nextLong(given[stream] - passed[stream] + 1);
      } else if (held.isEmpty() || random.nextInt(9) < 5) {
        try {
          Block block = allocator.allocate(on(stream, 1 + random.nextInt(6000)).withAlignment(256L << random.nextInt(
            4)));
          held.add(block);
          for (Use use : uses) {
            boolean isShared = use.address < block.address() + block.bytes() && block.address() < use.end
              && use.time > passed[use.stream];
            assertThat(isShared && use.stream != stream).as("%s by %s", use, block).isFalse();
            reused += isShared ? 1 : 0;
          }
        } catch (OutOfMemory full) {
          assertThat(full.bytesShort()).isPositive();
        }
      } else {
        Block block = held.remove(random.nextInt(held.size()));
        int user = 1 + random.nextInt(STREAMS - 1);
        long time = ++given[user];
        allocator.free(block, user, time);
        use(uses, new Use(block.address(), block.address() + block.bytes(), user, time));
      }
      allocator.validate();
    }
    assertThat(reused).isPositive();
    held.forEach(allocator::free);
    System.arraycopy(given, 0, passed, 0, STREAMS);
    assertThat(allocator.awaitedBytes()).isZero();
    allocator.close();
  }
}
