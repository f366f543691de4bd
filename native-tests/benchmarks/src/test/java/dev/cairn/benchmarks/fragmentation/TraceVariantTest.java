package dev.cairn.benchmarks.fragmentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.TraceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TraceVariantTest {
  @Test
  void backwardsTheLastBlockFreedIsGrantedFirst() {
    var forward = new TraceBuilder();
    int small = forward.grant(256);
    int large = forward.grant(1024);
    forward.free(large);
    forward.free(small);
    var expected = new TraceBuilder();
    int first = expected.grant(256);
    int second = expected.grant(1024);
    expected.free(second);
    expected.free(first);
    assertEquals(expected.build(), TraceVariant.backwards(forward.build()));
    int other = forward.grant(512);
    forward.free(other);
    assertEquals(512, TraceVariant.backwards(forward.build()).bytesOf(0));
  }

  @Test
  void noVariantLosesABlockOrLeavesOneLive() {
    for (long seed = 0; seed < 20; seed++) {
      AllocationTrace trace = random(seed);
      for (TraceVariant variant : TraceVariant.ALL) {
        AllocationTrace made = variant.maker().apply(trace);
        assertEquals(trace.eventCount(), made.eventCount(), variant.name());
        assertEquals(0, made.neverFreed(), variant.name());
        assertEquals(made, variant.maker().apply(trace), "the same each time: " + variant.name());
      }
    }
  }

  @Test
  void backwardsAndShuffledHaveTheSameSizesAndPeak() {
    for (long seed = 0; seed < 20; seed++) {
      AllocationTrace trace = random(seed);
      for (AllocationTrace made : List.of(TraceVariant.backwards(trace), TraceVariant.shuffled(trace, new Random(
        seed)))) {
        assertEquals(trace.peakLiveBytes(), made.peakLiveBytes());
        assertEquals(sizes(trace), sizes(made));
      }
    }
  }

  @Test
  void sizesChangeALittleAndStayWholeChunks() {
    AllocationTrace trace = random(7).scaled(1024);
    AllocationTrace made = TraceVariant.resized(trace, new Random(1));
    assertNotEquals(trace, made);
    for (int block = 0; block < made.blockCount(); block++) {
      double ratio = (double) made.bytesOf(block) / trace.bytesOf(block);
      assertTrue(ratio > 0.5 && ratio < 2, "block=%d ratio=%f".formatted(block, ratio));
      assertEquals(0, made.bytesOf(block) % 256);
    }
  }

  @Test
  void repeatedIsTheSameRoundAfterRound() {
    AllocationTrace trace = random(3);
    assertEquals(trace, TraceVariant.repeated(trace, 1));
    AllocationTrace thrice = TraceVariant.repeated(trace, 3);
    assertEquals(3 * trace.eventCount(), thrice.eventCount());
    assertEquals(trace.peakLiveBytes(), thrice.peakLiveBytes());
  }

  private static AllocationTrace random(long seed) {
    var random = new Random(seed);
    var trace = new TraceBuilder();
    List<Integer> live = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (live.isEmpty() || random.nextInt(3) > 0) {
        live.add(trace.grant(256L * (1 + random.nextInt(50))));
      } else {
        trace.free(live.remove(/* index */ random.nextInt(live.size())));
      }
    }
    live.forEach(trace::free);
    return trace.build();
  }

  private static List<Long> sizes(AllocationTrace trace) {
    List<Long> sizes = new ArrayList<>();
    for (int block = 0; block < trace.blockCount(); block++) {
      sizes.add(trace.bytesOf(block));
    }
    return sizes.stream().sorted().toList();
  }
}
