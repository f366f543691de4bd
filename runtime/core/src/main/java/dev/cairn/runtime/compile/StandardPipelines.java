package dev.cairn.runtime.compile;

import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.attention.FuseAttentionPass;
import dev.cairn.runtime.pass.attention.MergeHeadsPass;
import dev.cairn.runtime.pass.simplify.CollapseReshapePass;
import dev.cairn.runtime.pass.simplify.CommonSubexpressionPass;
import dev.cairn.runtime.pass.simplify.ConstantFoldingPass;
import dev.cairn.runtime.pass.simplify.FoldBatchNormalizationPass;
import dev.cairn.runtime.pass.simplify.RemoveIdentityPass;
import java.util.List;

/** The order of passes: each list is run until nothing changes. 16 bits and fusion follow once, in {@link Compiler}. */
public final class StandardPipelines {
  private StandardPipelines() {}

  /**
   * What every graph goes through. Constants first, since they show which nodes do nothing; batch normalisation before
   * common subexpressions, which would give a weight a second reader.
   */
  public static List<Pass> simplify(ValueEvaluator evaluator) {
    return List.of(new ConstantFoldingPass(evaluator), new RemoveIdentityPass(), new CollapseReshapePass(),
      new FoldBatchNormalizationPass(), new CommonSubexpressionPass());
  }

  /** What follows these, in the same rounds: attention as one node, over heads where they lie. */
  public static List<Pass> attention() {
    return List.of(new FuseAttentionPass(), new MergeHeadsPass());
  }
}
