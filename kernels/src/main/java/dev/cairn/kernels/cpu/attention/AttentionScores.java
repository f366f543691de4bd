package dev.cairn.kernels.cpu.attention;

import static dev.cairn.kernels.cpu.vector.VectorRows.load;
import static dev.cairn.kernels.cpu.vector.VectorRows.store;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.reduction.VectorSoftmax;
import dev.cairn.kernels.cpu.vector.VectorRows;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Turns rows of products of queries and keys into shares: scaled, masked, normalised. Immutable. */
final class AttentionScores {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private final KernelCall call;
  private final AttentionHeads heads;
  private final float scale;
  private final boolean causal;
  private final boolean nanWhenMasked;
  private final Layout mask;

  AttentionScores(KernelCall call, AttentionHeads heads) {
    this.call = call;
    this.heads = heads;
    this.scale = heads.scale(call.attributes());
    this.causal = AttentionHeads.isCausal(call.attributes());
    this.nanWhenMasked = AttentionHeads.isNanWhenMasked(call.attributes());
    this.mask = heads.mask(call.has(3) ? call.input(3).shape() : Shape.SCALAR);
  }

  /** One query of one head. */
  record Row(int batch, int head, int query) {}

  /** Whether a query looks only at the keys up to its own number. */
  boolean isCausal() {
    return causal;
  }

  /** How many keys a query looks at. */
  int keysOf(int query) {
    return causal ? Math.min(heads.keys(), query + 1) : heads.keys();
  }

  /** Turns {@code keys} products into shares, in place; shares of keys that the query does not look at become 0. */
  void normalize(MemorySegment scores, long at, int keys, Row row) {
    int length = keysOf(row.query);
    if (!call.has(3)) {
      VectorRows.scale(scores, scores, new VectorRows.Row(at, length), scale, 0);
    } else {
      mask(scores, at, length, row);
    }
    float max = VectorRows.max(scores, at, length);
    // If all keys are masked, there are no shares, unless the result must be NaN.
    int shares = max == Float.NEGATIVE_INFINITY && !nanWhenMasked ? 0 : length;
    if (shares > 0) {
      VectorSoftmax.normalize(scores, scores, at, shares, max);
    }
    scores.asSlice((at + shares) * Float.BYTES, (long) (keys - shares) * Float.BYTES).fill((byte) 0);
  }

  private void mask(MemorySegment scores, long at, int length, Row row) {
    MemorySegment added = call.input(3).segment();
    long from = row.batch * mask.stride(0) + row.head * mask.stride(1) + row.query * mask.stride(2);
    if (call.input(3).dtype() == DType.BOOL) {
      for (int key = 0; key < length; key++) {
        boolean counts = added.get(ValueLayout.JAVA_BYTE, from + key * mask.stride(3)) != 0;
        long place = (at + key) * Float.BYTES;
        scores.set(FLOAT, place, counts ? scores.get(FLOAT, place) * scale : Float.NEGATIVE_INFINITY);
      }
    } else if (mask.stride(3) == 0) {
      float all = added.get(FLOAT, from * Float.BYTES);
      VectorRows.scale(scores, scores, new VectorRows.Row(at, length), scale, all);
    } else {
      add(scores, at, length, added, from);
    }
  }

  private void add(MemorySegment scores, long at, int length, MemorySegment added, long from) {
    FloatVector factor = FloatVector.broadcast(SPECIES, scale);
    int whole = length - length % LANES;
    for (int i = 0; i < whole; i += LANES) {
      store(load(scores, at + i).fma(factor, load(added, from + i)), scores, at + i);
    }
    if (whole < length) {
      var rest = SPECIES.indexInRange(whole, length);
      store(load(scores, at + whole, rest).fma(factor, load(added, from + whole, rest)), scores, at + whole, rest);
    }
  }
}
