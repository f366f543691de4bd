package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
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
  private static final int STEPS = 24;

  static Stream<Arguments> layers() {
    return Stream.of(layer("guarding", GuardingAllocator::new),
      layer("trimming", upstream -> new TrimmingAllocator(upstream,
        new TrimSchedule(Duration.ofDays(1), TrimPolicy.EVERYTHING))));
  }

  private static Arguments layer(String name, UnaryOperator<Allocator> over) {
    return Arguments.of(name, over);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("layers")
  void aSourceThatFailsAtEachCallInTurn(String name, UnaryOperator<Allocator> over) {
    for (Fault fault : List.of(Fault.REFUSE, Fault.THROW, Fault.ERROR)) {
      for (int at = 0; at < 40; at++) {
        int faultAt = at;
        script(FakeSubAllocator.scattered(1L << 40), call -> call == faultAt ? fault : Fault.NONE, over);
      }
    }
  }

  private static void script(FakeSubAllocator fake, LongFunction<Fault> plan, UnaryOperator<Allocator> over) {
    BfcAllocator core = new BfcAllocator(new FaultySubAllocator(fake, plan),
      BfcOptions.DEFAULT.withFirstRegionBytes(1024));
    Allocator allocator = over.apply(core);
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      AllocatorStats before = allocator.stats();
      try {
        held.add(allocator.allocate((700L * (i % 7 + 1)) << (i / 3)));
      } catch (OutOfMemory | IllegalStateException | OutOfMemoryError e) {
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
    closeDespiteOneFault(allocator);
    assertThat(fake.heldBytes()).isZero();
  }

  private static void free(Allocator allocator, List<Block> held) {
    long before = allocator.stats().liveCount();
    allocator.free(held.removeFirst());
    assertThat(allocator.stats().liveCount()).isEqualTo(before - 1);
    allocator.validate();
  }

  private static void closeDespiteOneFault(Allocator allocator) {
    try {
      allocator.close();
    } catch (IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasMessageContaining("on purpose");
      allocator.free(allocator.allocate(1000));
      allocator.close();
    }
  }
}
