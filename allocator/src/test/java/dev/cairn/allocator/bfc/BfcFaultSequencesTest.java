package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One call of what is not the allocator's own goes wrong in a short random sequence: whichever it is, the allocator is
 * whole afterwards, no caller holds a block that it was not given, the next request is met, and in the end the source
 * has all back.
 */
class BfcFaultSequencesTest {
  private static final int OPERATIONS = 14;
  private static final Mischief.Kind[] KINDS = Mischief.Kind.values();

  /** One sequence; all that is random in it, but not where it goes wrong, follows from the seed. */
  private static final class Sequence {
    private final Random random;
    private final Mischief mischief;
    private final FakeSubAllocator fake;
    private final SharedCounter clock = new SharedCounter();
    private final BfcAllocator allocator;
    private final List<Block> held = new ArrayList<>();
    private boolean isProven;

    Sequence(long seed, Mischief mischief) {
      this.random = new Random(seed);
      this.mischief = mischief;
      this.fake = random.nextBoolean() ? FakeSubAllocator.contiguous(1 << 20) : FakeSubAllocator.scattered(1 << 20);
      BfcOptions.Growth[] growths = {BfcOptions.Growth.WHOLE, BfcOptions.Growth.DOUBLING,
        BfcOptions.Growth.AS_REQUESTED};
      BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(64 << 10).withFirstRegionBytes(1024)
        .withGrowth(growths[random.nextInt(growths.length)])
        .withCollection(random.nextBoolean()
          ? BfcOptions.Collection.AT_THE_LIMIT
          : BfcOptions.Collection.NEVER)
        .withSplit(mischief.around(random.nextBoolean() ? SplitPolicy.exact() : BfcOptions.DEFAULT.split()));
      BfcOptions rounded = random.nextInt(3) == 0 ? options.withRounding(new Rounding.PowerOfTwo(256, 20)) : options;
      BfcOptions kept = random.nextInt(6) == 0 ? rounded.withPooling(BfcOptions.Pooling.NONE) : rounded;
      this.allocator = made(random.nextBoolean() ? kept.withClock(clock) : kept);
    }

    /** Even the making may go wrong; then it is made again. */
    private BfcAllocator made(BfcOptions options) {
      try {
        return new BfcAllocator(mischief.around(fake), options, mischief.listener());
      } catch (Mischief.OnPurpose | Mischief.OnPurposeError onPurpose) {
        return new BfcAllocator(mischief.around(fake), options, mischief.listener());
      }
    }

    void run(boolean validatesAlways) {
      for (int i = 0; i < OPERATIONS; i++) {
        attempt(this::operation);
        prove(validatesAlways);
      }
      while (!held.isEmpty()) {
        attempt(() -> free(held.size() - 1));
        prove(validatesAlways);
      }
      attempt(allocator::close);
      if (allocator.stats().regions().current() > 0 || !isClosed()) {
        allocator.validate();
        allocator.close();
      }
      assertThat(fake.heldRegions()).isZero();
      assertThat(allocator.stats().poolBytes()).isZero();
    }

    private boolean isClosed() {
      try {
        allocator.free(allocator.allocate(1));
        return false;
      } catch (IllegalStateException closed) {
        return true;
      }
    }

    private void attempt(Runnable operation) {
      try {
        operation.run();
      } catch (OutOfMemory refusal) {
        assertThat(refusal.bytesShort()).isPositive();
      } catch (Mischief.OnPurpose | Mischief.OnPurposeError onPurpose) {
        assertThat(mischief.isDone()).isTrue();
      }
    }

    private void prove(boolean validatesAlways) {
      if (allocator.stats().liveCount() != held.size()) {
        assertThat(allocator.stats().liveCount()).as("blocks without a caller, or with two").isEqualTo(held.size());
      }
      if (validatesAlways || (mischief.isDone() && !isProven)) {
        allocator.validate();
      }
      if (mischief.isDone() && !isProven) {
        isProven = true;
        if (allocator.stats().bytesInUse() < 16 << 10) {
          allocator.setSafeFrontier(clock.now() + 1);
          allocator.free(allocator.allocate(100));
          allocator.validate();
        }
      }
    }

    private void operation() {
      switch (random.nextInt(12)) {
        case 0 -> allocator.trim(new TrimPolicy(random.nextInt(20_000), Duration.ZERO));
        case 1 -> allocator.setSafeFrontier(clock.now() + random.nextInt(3) - 1);
        case 2 -> held.add(allocator.reserve(AllocationRequest.of(1 + random.nextInt(8000))));
        case 3, 4, 5 -> {
          if (!held.isEmpty()) {
            free(random.nextInt(held.size()));
          }
        }
        case 6 -> held.add(allocator.blockOf(allocator.grant(wanted())));
        default -> held.add(allocator.allocate(AllocationRequest.of(wanted())
          .withAlignment(1L << random.nextInt(13))
          .withFreedBefore(random.nextInt((int) clock.now() + 1))));
      }
    }

    private long wanted() {
      return 1 + random.nextLong(1L << (4 + random.nextInt(13)));
    }

    private void free(int index) {
      Block block = held.get(index);
      allocator.free(block);
      held.remove(index);
    }
  }

  /** Every call of some sequences, in each way. */
  @Test
  void eachCallInTurnGoesWrong() {
    assertThat(eachCallInTurn(0, 12)).isGreaterThan(600);
  }

  @Test
  @Tag("long")
  void eachCallOfMoreSequencesGoesWrong() {
    assertThat(eachCallInTurn(12, 60)).isGreaterThan(2_400);
  }

  private static long eachCallInTurn(long first, long end) {
    long wrong = 0;
    for (long seed = first; seed < end; seed++) {
      Mischief none = new Mischief(Long.MAX_VALUE, Mischief.Kind.ERROR);
      new Sequence(seed, none).run(true);
      for (long at = 0; at < none.calls(); at++) {
        for (Mischief.Kind kind : KINDS) {
          new Sequence(seed, new Mischief(at, kind)).run(false);
          wrong++;
        }
      }
    }
    return wrong;
  }

  @Test
  void someCallOfSixThousandSequencesGoesWrong() {
    manySequences(1000, 6_000);
  }

  @Test
  @Tag("long")
  void someCallOfThirtyThousandSequencesGoesWrong() {
    manySequences(1000, 30_000);
  }

  @Test
  @Tag("soak")
  void someCallOfAMillionSequencesGoesWrong() {
    manySequences(1_000_000, Integer.getInteger("cairn.soak.sequences", 1_000_000));
  }

  private static void manySequences(long firstSeed, int count) {
    Random random = new Random(firstSeed);
    int wrong = 0;
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      Mischief mischief = new Mischief(random.nextInt(32), KINDS[random.nextInt(KINDS.length)]);
      try {
        new Sequence(seed, mischief).run(false);
      } catch (AssertionError e) {
        throw new AssertionError("seed=" + seed, e);
      }
      wrong += mischief.isDone() ? 1 : 0;
    }
    assertThat(wrong).isGreaterThan(count / 100 * 85);
  }
}
