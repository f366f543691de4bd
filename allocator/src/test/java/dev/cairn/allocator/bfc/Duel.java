package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import dev.cairn.allocator.source.SubAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The allocator and its naive model, asked the same in random order: every address, every failure and every figure
 * must be equal after every call. All that is random follows from the seed; odd seeds have sources that fail.
 */
final class Duel {
  /** All but the one that {@code LeanCollectionTest} is for. */
  private static final BfcOptions.Collection[] COLLECTIONS = {BfcOptions.Collection.NEVER,
    BfcOptions.Collection.AT_THE_LIMIT, BfcOptions.Collection.BEFORE_A_PEAK};

  private static final Rounding[] ROUNDINGS = {Rounding.naive(), new Rounding.PowerOfTwo(256, Rounding.CUTOFF),
    Rounding.multipleOf(10 * 1024)};

  private static final Object THREW = new Object();
  private static final Object NOTHING = new Object();
  private static final int OWNERS = 5;

  private record Live(long handle, @Nullable Block block, NaiveBfc.Chunk chunk) {}

  private final Random random;
  private final BfcOptions options;
  private final FaultySubAllocator modelSource;
  private final FaultySubAllocator source;
  private final NaiveBfc model;
  private final BfcAllocator allocator;
  private final List<Live> live = new ArrayList<>();
  private final List<Owner> owners = new ArrayList<>();
  private final int mostLive;
  private final long mostBytes;
  private int allocatePercent;
  private long calls;

  /** Up to {@code mostLive} blocks and a few at a time, from tiny to absurd. */
  Duel(long seed, int mostLive) {
    this(seed, mostLive, 0);
  }

  /** The same, of up to {@code mostBytes}, and that many at a time; 0 for any. */
  Duel(long seed, int mostLive, long mostBytes) {
    this.random = new Random(seed);
    this.mostLive = mostBytes > 0 ? mostLive : 5 + random.nextInt(mostLive);
    this.mostBytes = mostBytes;
    this.allocatePercent = 45 + random.nextInt(20);
    BfcOptions plain = options(random);
    this.options = mostBytes > 0 ? plain : settings(plain, random);
    long capacity = random.nextInt(4) == 0 ? options.limitBytes() / 2 : Long.MAX_VALUE;
    boolean contiguous = random.nextBoolean();
    LongFunction<Fault> plan = seed % 2 == 0 ? _ -> Fault.NONE : faults(seed);
    this.modelSource = new FaultySubAllocator(fake(contiguous, capacity), plan);
    this.source = new FaultySubAllocator(fake(contiguous, capacity), plan);
    this.model = new NaiveBfc(modelSource, options);
    this.allocator = new BfcAllocator(source, options);
    for (int i = 0; i < OWNERS; i++) {
      owners.add(i == 0 ? Owner.NONE : Owner.of("op" + i, "op" + i + ":0"));
      assertThat(allocator.ownerNumber(owners.get(i))).isEqualTo(i);
    }
  }

  /** From now on so many of a hundred calls allocate, while there may be more. */
  void tend(int percent) {
    allocatePercent = percent;
  }

  BfcAllocator allocator() {
    return allocator;
  }

  /** Makes {@code count} calls; maps are compared, and invariants checked, at each one in {@code mapEvery}. */
  void calls(long count, int mapEvery) {
    for (long end = calls + count; calls < end; calls++) {
      call();
      AllocatorStats expected = model.stats();
      AllocatorStats actual = allocator.stats();
      if (!actual.equals(expected)) {
        assertThat(actual).as("call %d with %s", calls, options).isEqualTo(expected);
      }
      if (calls % mapEvery == 0) {
        allocator.validate();
        compareMaps();
      }
    }
    assertThat(source.calls()).isEqualTo(modelSource.calls());
  }

  /** Gives everything back. */
  void end() {
    while (!live.isEmpty()) {
      free();
    }
    assertThat(allocator.stats().liveCount()).isZero();
  }

  private void call() {
    int kind = random.nextInt(1000);
    if (kind < 10) {
      trim();
    } else if (kind < 15) {
      assertThat(allocator.clearStats()).isEqualTo(model.stats());
      model.clearStats();
    } else if (kind < 60) {
      // Now and then the frontier is set back, which must change nothing.
      long frontier = Math.max(0, model.time() + 2 - random.nextInt(12));
      model.setSafeFrontier(frontier);
      allocator.setSafeFrontier(frontier);
    } else if (kind < 65) {
      model.step = random.nextInt();
      allocator.beginStep(model.step);
    } else if (live.isEmpty() || (live.size() < mostLive && random.nextInt(100) < allocatePercent)) {
      allocate();
    } else {
      free();
    }
  }

  private void trim() {
    long keep = random.nextBoolean() ? 0 : random.nextLong(options.limitBytes() + 1);
    Object expected = attempt(() -> model.trim(keep));
    assertThat(attempt(() -> allocator.trim(new TrimPolicy(keep, Duration.ZERO)))).isEqualTo(expected);
  }

  private void free() {
    int victim = random.nextInt(live.size());
    Live one = live.get(victim);
    Object expected = attempt(() -> {
      model.free(one.chunk);
      return NOTHING;
    });
    Object actual = attempt(() -> {
      if (one.block != null && random.nextBoolean()) {
        allocator.free(one.block);
      } else {
        allocator.release(one.handle);
      }
      return NOTHING;
    });
    assertThat(actual).isSameAs(expected);
    if (!expected.equals(THREW)) {
      live.set(victim, live.getLast());
      live.removeLast();
    }
  }

  private void allocate() {
    long bytes = wanted();
    int owner = random.nextInt(OWNERS);
    switch (random.nextInt(16)) {
      case 0 -> meet(() -> model.reserve(bytes, owner),
        () -> allocator.reserve(AllocationRequest.of(bytes, owners.get(owner))));
      case 1, 2, 3, 4 -> {
        AllocationRequest request = AllocationRequest.of(bytes, owners.get(owner)).withAlignment(alignment())
          .withFreedBefore(freedBefore());
        meet(() -> model.allocate(bytes, request.alignmentBytes(), request.freedBefore(), owner),
          () -> allocator.allocate(request));
      }
      default -> meet(() -> model.allocate(bytes, 0, 0, owner), () -> allocator.tryGrant(bytes, owner));
    }
  }

  private void meet(Call ofModel, Call ofAllocator) {
    Object expected = attempt(ofModel);
    Object actual = attempt(ofAllocator);
    if (expected instanceof NaiveBfc.Chunk chunk) {
      if (actual instanceof Block block) {
        compareBlock(block, chunk);
        live.add(new Live(block.handle(), block, chunk));
      } else {
        long handle = (Long) actual;
        live.add(new Live(handle, null, chunk));
      }
      long address = allocator.addressOf(live.getLast().handle);
      if (address != chunk.address) {
        assertThat(address).as("call %d with %s", calls, options).isEqualTo(chunk.address);
      }
    } else if (actual instanceof OutOfMemory) {
      assertThat(expected).isSameAs(NOTHING);
      model.refused();
    } else {
      assertThat(actual).as("call %d with %s", calls, options).isEqualTo(expected.equals(NOTHING) ? -1L : expected);
    }
  }

  private static void compareBlock(Block block, NaiveBfc.Chunk chunk) {
    assertThat(block.bytes()).isEqualTo(chunk.bytes);
    assertThat(block.requestedBytes()).isEqualTo(chunk.requested);
    assertThat(block.allocationId()).isEqualTo(chunk.id);
  }

  private interface Call {
    @Nullable
    Object make();
  }

  private static Object attempt(Call call) {
    try {
      Object answer = call.make();
      return answer == null ? NOTHING : answer;
    } catch (OutOfMemory refusal) {
      return refusal;
    } catch (IllegalStateException | OutOfMemoryError onPurpose) {
      assertThat(onPurpose).hasMessageContaining("on purpose");
      return THREW;
    }
  }

  private void compareMaps() {
    MemoryMap map = allocator.memoryMap();
    assertThat(map.stats()).isEqualTo(model.stats());
    assertThat(map.regions()).hasSameSizeAs(model.places);
    int at = 0;
    for (NaiveBfc.Place place : model.places) {
      for (NaiveBfc.Chunk chunk : place.chunks) {
        Owner owner = chunk.isFree() ? Owner.NONE : owners.get(chunk.owner);
        assertThat(map.chunk(at++)).isEqualTo(new MemoryMap.ChunkEntry(chunk.address, chunk.bytes, chunk.requested,
          chunk.id, owner, chunk.isFree() ? 0 : chunk.step, chunk.freedAt, 0));
      }
    }
    assertThat(map.chunkCount()).isEqualTo(at);
  }

  private static BfcOptions options(Random random) {
    SplitPolicy[] splits = {SplitPolicy.doubleOrSlack(SplitPolicy.STANDARD_SLACK_BYTES), SplitPolicy.exact(),
      SplitPolicy.doubleOrSlack(64 << 10), (chunkBytes, wantedBytes) -> true};
    long limit = (1L << (21 + random.nextInt(8))) + random.nextInt(1000);
    BfcOptions.Growth growth = one(random, BfcOptions.Growth.values());
    // The pages are few, since the model looks at each of them for every query.
    long first = growth == BfcOptions.Growth.BY_PAGE
      ? limit / (4 + random.nextInt(60)) / 256 * 256
      : 256L << random.nextInt(12);
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(limit).withFirstRegionBytes(first)
      .withGrowth(growth).withSplit(one(random, splits))
      .withCollection(one(random, COLLECTIONS))
      .withPlacement(one(random, BfcOptions.Placement.values()));
    if (random.nextInt(3) == 0) {
      options = options.withMaximumStepBytes(first << random.nextInt(6));
    }
    return random.nextBoolean() ? options.withClock(new SharedCounter()) : options;
  }

  /** Sometimes as a storage manager of MXNet's. */
  private static BfcOptions settings(BfcOptions plain, Random random) {
    BfcOptions rounded = random.nextInt(3) == 0 ? plain.withRounding(one(random, ROUNDINGS)) : plain;
    return random.nextInt(6) == 0 ? rounded.withPooling(BfcOptions.Pooling.NONE) : rounded;
  }

  private static <T> T one(Random random, T[] of) {
    return of[random.nextInt(of.length)];
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
  private long wanted() {
    if (mostBytes > 0) {
      return 1 + random.nextLong(mostBytes);
    }
    if (random.nextInt(2000) == 0) {
      return Long.MAX_VALUE - random.nextInt(1000);
    }
    long bound = 1L << (1 + random.nextInt(24));
    return random.nextInt(4) == 0 ? bound : 1 + random.nextLong(bound);
  }

  private long alignment() {
    return 1L << (random.nextBoolean() ? random.nextInt(9) : random.nextInt(22));
  }

  private long freedBefore() {
    return random.nextBoolean() ? AllocationRequest.ANY_TIME : random.nextLong(model.time() + 1);
  }
}
