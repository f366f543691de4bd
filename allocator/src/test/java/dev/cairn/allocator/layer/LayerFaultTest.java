package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever goes wrong below, a layer counts and frees as before, and the next call works. */
class LayerFaultTest {
  private static final RetryOptions AT_ONCE = RetryOptions.DEFAULT.withDeadlockAfter(Duration.ZERO);
  private static final int STEPS = 24;

  static Stream<Arguments> layers() {
    return Stream.of(layer("tenant", upstream -> new TenantQuotas(upstream).tenant("only", Long.MAX_VALUE)),
      layer("retrying", upstream -> new RetryingAllocator(upstream, AT_ONCE)),
      layer("client", upstream -> new RetryingAllocator(upstream, AT_ONCE).client("only")),
      layer("guarding", GuardingAllocator::new),
      layer("listening", upstream -> new ListeningAllocator(upstream, AllocationListener.silent())),
      layer("trimming", upstream -> new TrimmingAllocator(upstream,
        new TrimSchedule(Duration.ofDays(1), TrimPolicy.EVERYTHING))),
      layer("counting", CountingAllocator::new),
      layer("relieving", upstream -> new RelievingAllocator(upstream, _ -> false)));
  }

  private static Arguments layer(String name, UnaryOperator<Allocator> over) {
    return Arguments.of(name, over);
  }

  /** Throws at the call of that number, counted over grants and frees. */
  private static final class Failing implements AllocationListener {
    private final long at;
    private final boolean misleading;
    private long calls;

    Failing(long at, boolean misleading) {
      this.at = at;
      this.misleading = misleading;
    }

    private void call() {
      if (calls++ == at) {
        // The very types by which upstream says that it didn't free.
        throw misleading
          ? new IllegalArgumentException("on purpose")
          : new UnsupportedOperationException("on purpose");
      }
    }

    @Override
    public void granted(long id, long address, long bytes, long requestedBytes, Owner owner) {
      call();
    }

    @Override
    public void freed(long id, long address, long bytes) {
      call();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("layers")
  void aListenerThatThrowsAtEachCallInTurn(String name, UnaryOperator<Allocator> over) {
    for (int at = 0; at < 2 * STEPS; at++) {
      for (boolean misleading : new boolean[] {false, true}) {
        script(FakeSubAllocator.contiguous(1L << 40), call -> Fault.NONE, over, new Failing(at, misleading));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("layers")
  void aSourceThatFailsAtEachCallInTurn(String name, UnaryOperator<Allocator> over) {
    for (Fault fault : List.of(Fault.REFUSE, Fault.THROW, Fault.ERROR)) {
      for (int at = 0; at < 40; at++) {
        int faultAt = at;
        script(FakeSubAllocator.scattered(1L << 40), call -> call == faultAt ? fault : Fault.NONE, over,
          AllocationListener.silent());
      }
    }
  }

  private static void script(FakeSubAllocator fake, LongFunction<Fault> plan,
    UnaryOperator<Allocator> over, AllocationListener listener) {
    BfcAllocator core = new BfcAllocator(new FaultySubAllocator(fake, plan),
      BfcOptions.DEFAULT.withFirstRegionBytes(1024), listener);
    Allocator allocator = over.apply(core);
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      AllocatorStats before = allocator.stats();
      try {
        held.add(allocator.allocate((700L * (i % 7 + 1)) << (i / 3)));
      } catch (OutOfMemory | IllegalStateException | IllegalArgumentException | UnsupportedOperationException
        | OutOfMemoryError e) {
        assertThat(allocator.stats().liveCount()).isEqualTo(before.liveCount());
        assertThat(allocator.stats().bytesInUse()).isEqualTo(before.bytesInUse());
      }
      allocator.validate();
      if (i % 5 == 4) {
        free(allocator, held);
      }
    }
    while (!held.isEmpty()) {
      free(allocator, held);
    }
    assertThat(allocator.stats().bytesInUse()).isZero();
    assertThat(core.stats().liveCount()).isZero();
    allocator.free(allocator.allocate(1000));
    closeDespiteOneFault(allocator, core);
    assertThat(fake.heldBytes()).isZero();
  }

  /** Frees the first; it is gone even if a listener throws then. */
  private static void free(Allocator allocator, List<Block> held) {
    long before = allocator.stats().liveCount();
    try {
      allocator.free(held.getFirst());
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      assertThat(e).hasMessage("on purpose");
    }
    assertThat(allocator.stats().liveCount()).isEqualTo(before - 1);
    held.removeFirst();
    allocator.validate();
  }

  private static void closeDespiteOneFault(Allocator allocator, BfcAllocator core) {
    try {
      allocator.close();
    } catch (IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasMessageContaining("on purpose");
      allocator.free(allocator.allocate(1000));
      allocator.close();
    }
    if (allocator instanceof Tenant || allocator instanceof Client) {
      try {
        core.close(); // which these share
      } catch (IllegalStateException | OutOfMemoryError e) {
        core.close();
      }
    }
  }
}
