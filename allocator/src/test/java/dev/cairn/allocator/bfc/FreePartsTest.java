package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual-memory style growth: whole free pages go back, wherever they lie. */
class FreePartsTest {
  private static final long PAGE = 64 << 10;

  @RegisterExtension
  final Validated validated = new Validated();
  private final FakeSubAllocator source = FakeSubAllocator.contiguous(1L << 40);

  private static BfcOptions byPage() {
    return BfcOptions.DEFAULT.withFirstRegionBytes(PAGE).withMaximumStepBytes(PAGE);
  }

  @Test
  void aPageInTheMiddleGoesAndBothSidesStay() {
    BfcAllocator allocator = validated.watch(new BfcAllocator(source, byPage()));
    long[] handles = new long[8];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = allocator.grant(PAGE);
    }
    for (int i : new int[] {2, 3, 5, 7}) {
      allocator.release(handles[i]);
    }
    assertThat(allocator.trim()).isEqualTo(4 * PAGE);
    allocator.validate();
    assertThat(source.heldBytes()).isEqualTo(4 * PAGE);
    assertThat(allocator.memoryMap().regions()).hasSize(3);
    long again = allocator.grant(2 * PAGE);
    allocator.validate();
    for (int i : new int[] {0, 1, 4, 6}) {
      allocator.release(handles[i]);
    }
    allocator.release(again);
    allocator.trim();
    assertThat(source.heldBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void anySequenceWithTrimmingLeavesTheInvariantsTrue(long seed) {
    requireInvariants(seed, 800);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  @Tag("long")
  void anyLongSequenceWithTrimmingLeavesTheInvariantsTrue(long seed) {
    requireInvariants(seed, 4000);
  }

  private void requireInvariants(long seed, int calls) {
    Random random = new Random(seed);
    FaultySubAllocator faulty = new FaultySubAllocator(source,
      call -> seed % 2 == 0 && new Random(seed * 7919 + call).nextInt(10) == 0 ? Fault.THROW : Fault.NONE);
    BfcAllocator allocator = validated.watch(new BfcAllocator(faulty, byPage()));
    List<Long> held = new ArrayList<>();
    for (int call = 0; call < calls; call++) {
      try {
        if (held.isEmpty() || random.nextInt(100) < 50) {
          held.add(allocator.grant(1 + random.nextInt(1 << (8 + random.nextInt(11)))));
        } else {
          allocator.release(held.remove(random.nextInt(held.size())));
        }
        if (random.nextInt(20) == 0) {
          long before = allocator.stats().poolBytes();
          assertThat(allocator.trim()).isEqualTo(before - allocator.stats().poolBytes());
        }
      } catch (IllegalStateException onPurpose) {
        assertThat(onPurpose).hasMessageContaining("on purpose");
      }
      allocator.validate();
      assertThat(source.heldBytes()).isEqualTo(allocator.stats().poolBytes());
    }
  }

  @Test
  void aSourceThatRefusesToTakeAPageLeavesAllAsItWas() {
    FaultySubAllocator faulty = new FaultySubAllocator(source, call -> call == 3 ? Fault.THROW : Fault.NONE);
    BfcAllocator allocator = validated.watch(new BfcAllocator(faulty, byPage()));
    allocator.grant(PAGE);
    long middle = allocator.grant(PAGE);
    allocator.grant(PAGE);
    allocator.release(middle);
    AllocatorStats before = allocator.stats();
    assertThatIllegalStateException().isThrownBy(allocator::trim);
    assertThat(allocator.stats()).isEqualTo(before);
    assertThat(allocator.trim()).isEqualTo(PAGE);
  }
}
