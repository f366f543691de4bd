package dev.cairn.runtime.compile;

import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.attention.FuseAttentionPass;
import dev.cairn.runtime.pass.attention.MergeHeadsPass;
import dev.cairn.runtime.pass.simplify.CollapseReshapePass;
import dev.cairn.runtime.pass.simplify.CommonSubexpressionPass;
import dev.cairn.runtime.pass.simplify.ConstantFoldingPass;
import dev.cairn.runtime.pass.simplify.ContractEinsumPass;
import dev.cairn.runtime.pass.simplify.FoldBatchNormalizationPass;
import dev.cairn.runtime.pass.simplify.FuseGeluPass;
import dev.cairn.runtime.pass.simplify.FuseGroupNormalizationPass;
import dev.cairn.runtime.pass.simplify.FuseSwishPass;
import dev.cairn.runtime.pass.simplify.RemoveIdentityPass;
import java.util.List;
import java.util.function.Predicate;

/**
 * The order of passes: each list runs until nothing changes, after those of {@link
 * dev.cairn.runtime.pass.quantize.QuantizedPasses}. {@link Simplification} then runs the 16-bit passes, and {@link
 * Compiler} the layout and fusion passes, once.
 */
public final class StandardPipelines {
  private StandardPipelines() {}

  /**
   * The simplification passes for every graph. Constant folding comes first, because it shows which nodes do nothing.
   * Batch normalisation comes before common subexpressions, which would give a weight a second reader, and after group
   * normalisation, into which it folds scales and shifts.
   *
   * @param isPure whether an operator gives equal results for equal inputs, by name
   */
  public static List<Pass> simplify(ValueEvaluator evaluator, Predicate<String> isPure) {
    return List.of(new ConstantFoldingPass(evaluator), new RemoveIdentityPass(), new CollapseReshapePass(),
      new ContractEinsumPass(), new FuseGroupNormalizationPass(), new FoldBatchNormalizationPass(), new FuseGeluPass(),
      new FuseSwishPass(),
      new CommonSubexpressionPass(isPure));
  }

  /**
   * The attention passes, which follow in the same rounds: they fuse attention into one node and read heads in place.
   */
  public static List<Pass> attention() {
    return List.of(new FuseAttentionPass(), new MergeHeadsPass());
  }
}
