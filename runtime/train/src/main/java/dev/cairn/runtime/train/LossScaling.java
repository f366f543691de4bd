package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the nodes of a {@link LossScale}: the loss times the scale, gradients divided by it, whether all of them are
 * finite, and the next scale. All are part of the iteration's graph, so that no step waits for the host.
 */
final class LossScaling {
  /** The variable with the scale. */
  static final String SCALE = "scaler.scale";
  /** The variable with the number of updates since the scale changed. */
  static final String GOOD = "scaler.good";
  /** The output that says whether the update was made. */
  static final String APPLIED = "scaler/applied";

  private final IterationBuilder iteration;
  private final LossScale rule;
  private final @Nullable EntryExpression scale;

  private LossScaling(IterationBuilder iteration, LossScale rule, @Nullable EntryExpression scale) {
    this.iteration = iteration;
    this.rule = rule;
    this.scale = scale;
  }

  /** @throws IllegalArgumentException when a scaled gradient would have another type than {@code float32} */
  static LossScaling of(IterationBuilder iteration, LossScale rule, List<EntryExpression> trained) {
    if (!rule.isNone() && trained.stream().anyMatch(it -> it.dtype() != DType.FLOAT32)) {
      throw new IllegalArgumentException("a scaled loss is for parameters of float32: types=" + trained.stream().map(
        EntryExpression::dtype).distinct().toList());
    }
    EntryExpression scale = rule.isDynamic()
      ? iteration.state(SCALE, TensorView.ofFloats(Shape.SCALAR, (float) rule.initial()))
      : null;
    return new LossScaling(iteration, rule, scale);
  }

  EntryExpression scaled(EntryExpression loss) {
    if (scale != null) {
      return loss.mul(scale.within(loss.builder()));
    }
    return rule.isNone() ? loss : loss.mul(rule.initial());
  }

  List<EntryExpression> unscaled(List<EntryExpression> gradients) {
    if (rule.isNone()) {
      return gradients;
    }
    EntryExpression inverse = scale == null ? null : scale.scalar(1).div(scale);
    return gradients.stream().map(it -> inverse == null ? it.mul(1 / rule.initial()) : it.mul(inverse)).toList();
  }

  /**
   * Whether the update is made. Adds the next scale.
   *
   * @param gradients that the update would follow
   * @param now whether this iteration updates; null when each does
   * @return null when every iteration updates
   */
  @Nullable
  EntryExpression applied(List<EntryExpression> gradients, @Nullable EntryExpression now) {
    if (scale == null) {
      return now;
    }
    EntryExpression finite = finite(gradients);
    EntryExpression good = iteration.state(GOOD, TensorView.ofFloats(Shape.SCALAR, 0));
    EntryExpression more = good.add(1);
    EntryExpression isDue = more.ge(rule.interval());
    EntryExpression grown = scale.mul(rule.growth());
    EntryExpression mayGrow = isDue.logicalAnd(grown.le(Float.MAX_VALUE));
    EntryExpression next = finite.where(mayGrow.where(grown, scale), scale.mul(rule.backoff()));
    EntryExpression count = finite.logicalAnd(isDue.logicalNot()).where(more, good.scalar(0));
    iteration.assign(SCALE, now == null ? next : now.where(next, scale));
    iteration.assign(GOOD, now == null ? count : now.where(count, good));
    EntryExpression applied = now == null ? finite : now.logicalAnd(finite);
    iteration.output(APPLIED, applied);
    return applied;
  }

  /** The least and greatest elements times zero are zero, unless one is infinite or no number. */
  private static EntryExpression finite(List<EntryExpression> gradients) {
    List<EntryExpression> ends = new ArrayList<>();
    for (EntryExpression gradient : gradients) {
      ends.add(gradient.max().mul(0));
      ends.add(gradient.min().mul(0));
    }
    EntryExpression sum = ends.getFirst();
    for (EntryExpression end : ends.subList(1, ends.size())) {
      sum = sum.add(end);
    }
    return sum.eq(0);
  }
}
