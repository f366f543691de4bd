package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.testing.GarbageMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Primitive handles: what the allocator answers, and that it leaves the Java heap alone. */
class PrimitiveHandlesTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private final BfcAllocator allocator = validated
    .watch(new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT));

  @Test
  void aBlockAndItsHandleAreTheSameGrant() {
    long handle = allocator.grant(1000);
    Block block = allocator.blockOf(handle);
    assertThat(block.handle()).isEqualTo(handle);
    assertThat(block.address()).isEqualTo(allocator.addressOf(handle));
    assertThat(block.requestedBytes()).isEqualTo(1000);
    assertThat(block.bytes()).isEqualTo(1024);
    allocator.free(block);
    long next = allocator.allocate(1000).handle();
    allocator.release(next);
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void onlyPositiveBytesAreGranted() {
    for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.grant(bytes));
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.tryGrant(bytes));
    }
  }

  @Test
  void hostBlocksOfAHandleHaveSegments() {
    BfcAllocator host = validated.watch(new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT));
    long handle = host.grant(1000);
    assertThat(host.blockOf(handle).segment().byteSize()).isEqualTo(1000);
    host.release(handle);
    host.close();
  }

  @Test
  void grantsAndReleasesPutNothingOnTheHeap() {
    long[] handles = new long[1000];
    // 80,000 calls: even one small object in a hundred of them would be 12,800 bytes.
    assertThat(GarbageMeter.leastBytes(() -> churn(handles, 40))).isLessThan(3_200);
  }

  /** Frees that wait for a frontier which never moves, and chunks that are granted again before it does. */
  @Test
  void timedFreesPutNothingOnTheHeapWhileTheFrontierStands() {
    BfcAllocator timed = validated.watch(
      new BfcAllocator(FakeSubAllocator.scattered(1L << 40), BfcOptions.DEFAULT.withClock(new SharedCounter())));
    assertThat(GarbageMeter.leastBytes(() -> pairs(timed, 20_000))).isLessThan(3_200);
    assertThat(timed.memoryMap().chunkCount()).isLessThan(200);
  }

  private static void pairs(BfcAllocator timed, int count) {
    for (int i = 0; i < count; i++) {
      long first = timed.tryGrant(1 + i % 100 * 100);
      long second = timed.tryGrant(1 + i % 7 * 1000);
      timed.release(first);
      timed.release(second);
    }
  }

  private void churn(long[] handles, int rounds) {
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < handles.length; i++) {
        handles[i] = allocator.tryGrant(1 + (i * 7919L + round * 104_729L) % 100_000);
      }
      for (int i = 0; i < handles.length; i++) {
        allocator.release(handles[i * 7 % handles.length]);
      }
    }
  }
}
