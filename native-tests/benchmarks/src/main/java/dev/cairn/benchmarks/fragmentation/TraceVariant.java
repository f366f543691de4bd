package dev.cairn.benchmarks.fragmentation;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.TraceBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Makes another trace of one, the same in kind and different in detail: what helps only by luck does not help here. */
record TraceVariant(String name, UnaryOperator<AllocationTrace> maker) {
  /** Of the natural logarithm of a size. */
  private static final double DEVIATION = 0.1;

  /** The same ones each time. */
  static final List<TraceVariant> ALL = List.of(new TraceVariant("backwards", TraceVariant::backwards),
    new TraceVariant("sizes ±10 %", trace -> resized(trace, new Random(1))),
    new TraceVariant("sizes ±10 %, others", trace -> resized(trace, new Random(2))),
    new TraceVariant("order of neighbours", trace -> shuffled(trace, new Random(3))),
    new TraceVariant("order of neighbours, others", trace -> shuffled(trace, new Random(4))),
    new TraceVariant("backwards, sizes ±10 %", trace -> resized(backwards(trace), new Random(5))));

  /** In the opposite order: what was freed last is granted first. All blocks must be freed in the trace. */
  static AllocationTrace backwards(AllocationTrace trace) {
    var made = new TraceBuilder();
    int[] blocks = new int[trace.blockCount()];
    for (int event = trace.eventCount() - 1; event >= 0; event--) {
      int block = trace.block(event);
      if (trace.isGrant(event)) {
        made.free(blocks[block]);
      } else {
        blocks[block] = made.grant(trace.bytesOf(block));
      }
    }
    return made.build();
  }

  /** Each size times a number near one, in whole chunks. */
  static AllocationTrace resized(AllocationTrace trace, Random random) {
    long[] bytes = new long[trace.blockCount()];
    for (int block = 0; block < bytes.length; block++) {
      double resized = trace.bytesOf(block) * Math.exp(DEVIATION * random.nextGaussian());
      bytes[block] = Math.max(Alignment.CHUNK_BYTES, Alignment.down(Math.round(resized), Alignment.CHUNK_BYTES));
    }
    var made = new TraceBuilder();
    int[] blocks = new int[bytes.length];
    for (int event = 0; event < trace.eventCount(); event++) {
      int block = trace.block(event);
      if (trace.isGrant(event)) {
        blocks[block] = made.grant(bytes[block]);
      } else {
        made.free(blocks[block]);
      }
    }
    return made.build();
  }

  /** Grants between which nothing is freed in another order. */
  static AllocationTrace shuffled(AllocationTrace trace, Random random) {
    var made = new TraceBuilder();
    int[] blocks = new int[trace.blockCount()];
    List<Integer> together = new ArrayList<>();
    for (int event = 0; event < trace.eventCount(); event++) {
      if (trace.isGrant(event)) {
        together.add(trace.block(event));
        continue;
      }
      grantShuffled(trace, together, random, made, blocks);
      made.free(blocks[trace.block(event)]);
    }
    grantShuffled(trace, together, random, made, blocks);
    return made.build();
  }

  private static void grantShuffled(AllocationTrace trace, List<Integer> together, Random random, TraceBuilder made,
    int[] blocks) {
    Collections.shuffle(together, random);
    together.forEach(block -> blocks[block] = made.grant(trace.bytesOf(block)));
    together.clear();
  }

  /** Several times in a row. All blocks must be freed in the trace. */
  static AllocationTrace repeated(AllocationTrace trace, int times) {
    var made = new TraceBuilder();
    int[] blocks = new int[trace.blockCount()];
    for (int i = 0; i < times; i++) {
      for (int event = 0; event < trace.eventCount(); event++) {
        int block = trace.block(event);
        if (trace.isGrant(event)) {
          blocks[block] = made.grant(trace.bytesOf(block));
        } else {
          made.free(blocks[block]);
        }
      }
    }
    return made.build();
  }
}
