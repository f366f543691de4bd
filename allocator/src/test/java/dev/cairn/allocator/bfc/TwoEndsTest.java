package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocationRequest.End;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls at both ends, with the invariants after each. */
class TwoEndsTest {
  @RegisterExtension
  final Validated validated = new Validated();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void anySequenceLeavesTheInvariantsTrue(long seed) {
    Random random = new Random(seed);
    BfcAllocator allocator = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 30),
      BfcOptions.DEFAULT.withLimitBytes(1 << 20).withTwoEnds()
        .withSplit(seed % 2 == 0 ? SplitPolicy.exact() : SplitPolicy.doubleOrSlack(64 << 10))));
    List<Block> blocks = new ArrayList<>();
    int refused = 0;
    for (int call = 0; call < 5000; call++) {
      if (blocks.isEmpty() || random.nextInt(100) < 55) {
        End end = random.nextBoolean() ? End.LOWER : End.UPPER;
        AllocationRequest request = AllocationRequest.of(1 + random.nextInt(1 << random.nextInt(17))).at(end)
          .withAlignment(256L << (random.nextInt(4) == 0 ? random.nextInt(6) : 0));
        try {
          Block block = allocator.allocate(request);
          assertThat(block.address() % request.alignmentBytes()).isZero();
          blocks.add(block);
        } catch (OutOfMemory e) {
          refused++;
          for (int i = blocks.size() / 2; i > 0; i--) {
            allocator.free(blocks.remove(random.nextInt(blocks.size())));
          }
        }
      } else {
        allocator.free(blocks.remove(random.nextInt(blocks.size())));
      }
      allocator.validate();
    }
    assertThat(refused).isPositive();
    blocks.forEach(allocator::free);
    assertThat(allocator.stats().largestFreeBytes()).isEqualTo(1 << 20);
    allocator.close();
  }

  private final BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(1 << 20).withTwoEnds();

  private static Block allocate(BfcAllocator allocator, long bytes, End end) {
    return allocator.allocate(AllocationRequest.of(bytes).at(end));
  }

  @Test
  void whatIsReservedBeforeTheFirstRequestLeavesThePoolTheRestOfTheLimit() {
    BfcAllocator allocator = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 20), options));
    Block reserved = allocator.reserve(AllocationRequest.of(4096));
    for (int round = 0; round < 2; round++) {
      Block upper = allocate(allocator, 1000, End.UPPER);
      Block lower = allocate(allocator, (1 << 20) - 4096 - 1024, End.LOWER);
      allocator.validate();
      allocator.free(upper);
      allocator.free(lower);
      assertThat(allocator.trim()).isEqualTo((1 << 20) - 4096);
    }
    allocator.free(reserved);
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource
  void aSplitPolicyThatThrowsLeavesTheHoleWhereItWas(End end) {
    // The first cut of a hole is the first question that the policy is asked.
    Mischief mischief = new Mischief(0, Mischief.Kind.EXCEPTION);
    BfcAllocator allocator = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 20),
      options.withSplit(mischief.around(SplitPolicy.exact()))));
    Block hole = allocate(allocator, 4096, end);
    Block inner = allocate(allocator, 256, end);
    allocator.free(hole);
    AllocationRequest aligned = AllocationRequest.of(256).at(end).withAlignment(1024);
    assertThatThrownBy(() -> allocator.allocate(aligned)).isInstanceOf(Mischief.OnPurpose.class);
    allocator.validate();
    Block again = allocate(allocator, 4096, end);
    assertThat(again.address()).isEqualTo(hole.address());
    allocator.free(again);
    allocator.free(inner);
    allocator.close();
  }
}
