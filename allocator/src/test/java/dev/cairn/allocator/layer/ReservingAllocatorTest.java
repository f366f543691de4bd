package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import org.junit.jupiter.api.Test;

class ReservingAllocatorTest {
  @Test
  void eachBlockHasARegionThatGoesBackWithIt() {
    FakeSubAllocator source = FakeSubAllocator.scattered(1L << 40);
    try (var core = new BfcAllocator(source, BfcOptions.DEFAULT)) {
      try (var reserving = new ReservingAllocator(core)) {
        Block first = reserving.allocate(1000, "a");
        Block second = reserving.allocate(1000, "b");
        assertThat(source.heldRegions()).isEqualTo(2);
        assertThat(reserving.stats().bypass().current()).isEqualTo(2048);
        reserving.free(first);
        assertThat(source.heldBytes()).isEqualTo(1024);
        reserving.free(second);
        assertThat(source.heldBytes()).isZero();
      }
      core.free(core.allocate(1));
    }
  }
}
