package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A million random calls, the same to the allocator and to a naive model: every address, every failure and every
 * figure must be equal after every call. Odd seeds have sources that fail.
 */
class BfcDifferentialTest {
  private static final int CALLS = 50_000;
  private static final Object THREW = new Object();

  @RegisterExtension
  final Validated validated = new Validated();

  private record Live(long handle, NaiveBfc.Chunk chunk) {}

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
  void everyAnswerIsThatOfTheNaiveModel(long seed) {
    Random random = new Random(seed);
    BfcOptions options = options(random);
    long capacity = random.nextInt(4) == 0 ? options.limitBytes() / 2 : Long.MAX_VALUE;
    boolean contiguous = random.nextBoolean();
    LongFunction<Fault> plan = seed % 2 == 0 ? _ -> Fault.NONE : faults(seed);
    FaultySubAllocator modelSource = new FaultySubAllocator(fake(contiguous, capacity), plan);
    NaiveBfc model = new NaiveBfc(modelSource, options);
    FaultySubAllocator source = new FaultySubAllocator(fake(contiguous, capacity), plan);
    BfcAllocator allocator = validated.watch(new BfcAllocator(source, options));
    List<Live> live = new ArrayList<>();
    int most = 20 + random.nextInt(180);
    for (int call = 0; call < CALLS; call++) {
      boolean allocates = live.isEmpty() || (live.size() < most && random.nextInt(100) < 55);
      if (allocates) {
        allocateBoth(wanted(random), model, allocator, live);
      } else {
        Live victim = live.remove(random.nextInt(live.size()));
        model.free(victim.chunk());
        allocator.release(victim.handle());
      }
      assertThat(NaiveBfc.Figures.of(allocator.stats())).as("call %d", call).isEqualTo(model.stats());
      if (call % 1000 == 0) {
        allocator.validate();
      }
    }
    assertThat(source.calls()).isEqualTo(modelSource.calls());
    assertThat(allocator.stats().allocationCount()).isGreaterThan(CALLS / 10);
    live.forEach(one -> allocator.release(one.handle()));
    assertThat(allocator.stats().bytesInUse()).isZero();
  }

  private static void allocateBoth(long bytes, NaiveBfc model, BfcAllocator allocator, List<Live> live) {
    Object expected = attempt(() -> model.allocate(bytes));
    Object handle = attempt(() -> allocator.tryGrant(bytes));
    if (expected.equals(THREW)) {
      assertThat(handle).isSameAs(THREW);
    } else if (expected instanceof NaiveBfc.Chunk chunk) {
      assertThat(handle).isNotEqualTo(Block.NO_HANDLE).isNotSameAs(THREW);
      long granted = (Long) handle;
      assertThat(allocator.addressOf(granted)).isEqualTo(chunk.address);
      live.add(new Live(granted, chunk));
    } else {
      assertThat(handle).isEqualTo(Block.NO_HANDLE);
    }
  }

  private interface Call {
    @Nullable
    Object make();
  }

  private static Object attempt(Call call) {
    try {
      Object answer = call.make();
      return answer == null ? "nothing" : answer;
    } catch (IllegalStateException | OutOfMemoryError onPurpose) {
      assertThat(onPurpose).hasMessageContaining("on purpose");
      return THREW;
    }
  }

  private static BfcOptions options(Random random) {
    BfcOptions.Growth[] growths = BfcOptions.Growth.values();
    SplitPolicy[] splits = {SplitPolicy.doubleOrSlack(SplitPolicy.STANDARD_SLACK_BYTES), SplitPolicy.exact(),
      SplitPolicy.doubleOrSlack(64 << 10), SplitPolicy.doubleOrSlack(0)};
    long limit = 1L << (21 + random.nextInt(8));
    return BfcOptions.DEFAULT.withLimitBytes(limit + random.nextInt(1000))
      .withGrowth(growths[random.nextInt(growths.length)]).withFirstRegionBytes(256L << random.nextInt(12))
      .withSplit(splits[random.nextInt(splits.length)]);
  }

  private static SubAllocator fake(boolean contiguous, long capacity) {
    return contiguous ? FakeSubAllocator.contiguous(capacity) : FakeSubAllocator.scattered(capacity);
  }

  /** A fault for half of all calls, a function of the call's number alone. */
  private static LongFunction<Fault> faults(long seed) {
    return call -> {
      Random random = new Random(seed * 1_000_003 + call);
      random.nextInt();
      return switch (random.nextInt(20)) {
        case 0 -> Fault.THROW;
        case 1 -> Fault.ERROR;
        case 2, 3, 4, 5, 6, 7, 8, 9 -> Fault.REFUSE;
        default -> Fault.NONE;
      };
    };
  }

  /** Any power of two up to 16 MiB as likely as any other, sometimes a round number, seldom something absurd. */
  private static long wanted(Random random) {
    if (random.nextInt(2000) == 0) {
      return Long.MAX_VALUE - random.nextInt(1000);
    }
    long bound = 1L << (1 + random.nextInt(24));
    return random.nextInt(4) == 0 ? bound : 1 + random.nextLong(bound);
  }
}
