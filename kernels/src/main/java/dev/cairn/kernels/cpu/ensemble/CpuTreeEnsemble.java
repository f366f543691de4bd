package dev.cairn.kernels.cpu.ensemble;

import dev.cairn.kernels.attribute.DecisionTrees;
import dev.cairn.kernels.attribute.TreeForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/** Adds up, or otherwise combines, the leaves to which each row of features leads in every tree. */
public final class CpuTreeEnsemble implements Kernel {
  private static final long GRAIN = 16;
  private static final int AVERAGE = 0;
  private static final int LEAST = 2;
  private static final int GREATEST = 3;

  @Override
  public void run(KernelCall call) {
    DecisionTrees trees = DecisionTrees.of(call.attributes());
    TensorView x = call.input(0);
    int how = Math.toIntExact(TreeForm.of(call.attributes()).aggregate());
    long features = x.shape().extent(-1);
    CpuStream.of(call).parallel(x.shape().elementCount(0, x.shape().rank() - 1), GRAIN, (first, end) -> {
      double[] scores = new double[trees.targets()];
      for (long row = first; row < end; row++) {
        score(trees, x, row * features, how, scores);
        Elements.write(scores, call.output(0), row * scores.length, scores.length);
      }
    });
  }

  private static void score(DecisionTrees trees, TensorView x, long row, int how, double[] scores) {
    boolean[] seen = new boolean[scores.length];
    Arrays.fill(scores, 0);
    for (int tree = 0; tree < trees.trees(); tree++) {
      int leaf = trees.leaf(tree, x, row);
      int target = trees.target(leaf);
      double weight = trees.weight(leaf);
      scores[target] = switch (how) {
        case LEAST -> seen[target] ? Math.min(scores[target], weight) : weight;
        case GREATEST -> seen[target] ? Math.max(scores[target], weight) : weight;
        default -> scores[target] + weight;
      };
      seen[target] = true;
    }
    for (int i = 0; how == AVERAGE && i < scores.length; i++) {
      scores[i] /= trees.trees();
    }
  }
}
