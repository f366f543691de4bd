package dev.cairn.kernels.cpu.ensemble;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.DecisionForest;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.Function;

/**
 * Adds up, or otherwise combines, the leaves to which each row of features leads in every tree. Rows are computed in
 * blocks, tree after tree, so that a tree's nodes stay in the cache.
 */
public final class CpuTreeEnsemble implements Kernel {
  /** Steps from node to node that are worth a thread of their own. */
  private static final long GRAIN_STEPS = 1 << 14;

  private final Function<Attributes, DecisionForest> parser;

  /** @param parser of the operator's attributes */
  public CpuTreeEnsemble(Function<Attributes, DecisionForest> parser) {
    this.parser = parser;
  }

  @Override
  public void run(KernelCall call) {
    DecisionForest forest = parser.apply(call.attributes());
    TensorView x = call.input(0);
    long features = x.shape().extent(-1);
    long rows = features == 0 ? x.shape().extent(0) : x.elementCount() / features;
    boolean isPrecise = x.dtype() == DType.FLOAT64;
    // A walk takes about as many steps as the logarithm of the number of nodes says.
    long nodes = Math.max(1, forest.nodes() / forest.trees());
    long steps = forest.trees() * (long) (Long.SIZE - Long.numberOfLeadingZeros(nodes));
    long grain = Math.ceilDiv(Math.max(1, GRAIN_STEPS / steps), ForestWalk.WALKERS) * ForestWalk.WALKERS;
    CpuStream.of(call).parallel(rows, grain, (first, end) -> {
      if (isPrecise || !forest.isPacked()) {
        new ForestDoubles(forest, x, features).run(call, first, end);
      } else {
        new ForestWalk(forest, x, features, end - first).run(call, first, end);
      }
    });
  }
}
