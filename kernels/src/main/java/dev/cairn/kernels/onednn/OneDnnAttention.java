package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.AttentionForm;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.onednn.Stage.Argument;
import java.util.List;
import java.util.OptionalInt;

/**
 * {@code Attention} of {@code float32} without masks, as a model writes it with {@code Softmax}: a product of queries
 * and keys, the softmax of its rows, and a product of these and the values. All heads read their rows where they lie.
 * The scores of all heads lie in the workspace, so larger ones are left to a kernel that keeps those of a few queries
 * alone.
 */
final class OneDnnAttention extends OneDnnKernel {
  private static final int LINEAR = 0x26;
  /** 4 MiB, about what caches of a processor hold. */
  private static final long MOST_SCORES = 1 << 20;
  /** Three calls cost more than a few queries save. */
  private static final int FEWEST_QUERIES = 16;
  private static final long FEWEST_TERMS = 1 << 18;

  OneDnnAttention(OneDnnEngine engine) {
    super(engine);
  }

  @Override
  boolean fits(KernelSignature signature) {
    Attributes attributes = signature.attributes();
    if (!areAlike(signature, 3) || signature.has(3) || !AttentionForm.isPlain(signature) || AttentionHeads.isCausal(
      attributes) || !AttentionHeads.isNanWhenMasked(attributes)) {
      return false;
    }
    AttentionHeads heads = AttentionForm.heads(signature);
    return heads.heads() == heads.keyHeads() && heads.queries() >= FEWEST_QUERIES && heads.scoreShape()
      .elementCount() <= MOST_SCORES && terms(signature) >= FEWEST_TERMS;
  }

  @Override
  double terms(KernelSignature signature) {
    AttentionHeads heads = AttentionForm.heads(signature);
    return (double) heads.scoreShape().elementCount() * (heads.size() + heads.valueSize());
  }

  @Override
  void describe(KernelSignature signature, ProgramBuilder program) {
    AttentionHeads heads = AttentionForm.heads(signature);
    Layouts layouts = program.layouts();
    long batch = heads.batch();
    long count = heads.heads();
    long queries = rows(layouts, heads.query(), batch, count, heads.queries(), heads.size());
    AttentionHeads.Rows ofKeys = heads.key();
    long keys = layouts.strided(new long[] {batch, count, heads.size(), heads.keys()}, new long[] {ofKeys
      .batchStride(), ofKeys.headStride(), 1, ofKeys.rowStride()});
    long values = rows(layouts, heads.value(), batch, count, heads.keys(), heads.valueSize());
    long result = rows(layouts, heads.result(), batch, count, heads.queries(), heads.valueSize());
    long scores = layouts.plain(batch, count, heads.queries(), heads.keys());
    var place = program.reserveBytes(layouts.bytes(scores));
    program.followWith(new PostOperations(OptionalInt.empty(), List.of(new PostOperations.Function(LINEAR, heads.scale(
      signature.attributes()), 0))));
    program.add(OneDnnMatmul.descriptor(program, queries, keys, 0, scores), List.of(new Argument(Stage.SOURCE, queries,
      new OperandPlace.Input(0)), new Argument(Stage.WEIGHTS, keys, new OperandPlace.Input(1)),
      new Argument(
        Stage.RESULT, scores, place)));
    program.followWith(PostOperations.NONE);
    long shares = layouts.plain(batch * count * heads.queries(), heads.keys());
    program.add(OneDnnSoftmax.descriptor(program, shares), List.of(new Argument(Stage.SOURCE, shares, place),
      new Argument(Stage.RESULT, shares, place)));
    program.add(OneDnnMatmul.descriptor(program, scores, values, 0, result), List.of(new Argument(Stage.SOURCE, scores,
      place), new Argument(Stage.WEIGHTS, values, new OperandPlace.Input(2)),
      new Argument(Stage.RESULT, result,
        new OperandPlace.Output(0))));
  }

  private static long rows(Layouts layouts, AttentionHeads.Rows rows, long batch, long heads, long count, long size) {
    return layouts.strided(new long[] {batch, heads, count, size}, new long[] {rows.batchStride(), rows.headStride(),
      rows.rowStride(), 1});
  }
}
