package dev.cairn.runtime.train.loss;

import dev.cairn.runtime.expression.Expression;
import java.util.List;

/** Losses that compare three vectors of each item, the last one a label or another vector. */
final class VectorLoss extends Loss {
  private static final double TINY = 1e-12;

  private final boolean isTriplet;
  private final double margin;

  VectorLoss(Reduction reduction, boolean isTriplet, double margin) {
    super(reduction);
    this.isTriplet = isTriplet;
    this.margin = margin;
  }

  @Override
  protected int predictions() {
    return 2;
  }

  @Override
  protected <T extends Expression<T>> T each(List<T> operands) {
    return isTriplet
      ? triplet(operands.get(0), operands.get(1), operands.get(2))
      : cosine(operands.get(0), operands.get(1), operands.get(2));
  }

  private <T extends Expression<T>> T triplet(T anchor, T positive, T negative) {
    T difference = positive.sub(anchor).square().sub(negative.sub(anchor).square());
    return difference.flatten(1).sum(1).add(margin).relu();
  }

  private <T extends Expression<T>> T cosine(T a, T b, T label) {
    T lengths = a.square().sum(-1).mul(b.square().sum(-1)).sqrt();
    T cosine = a.mul(b).sum(-1).div(lengths.add(TINY));
    return label.gt(0).where(cosine.neg().add(1), cosine.sub(margin).relu());
  }
}
