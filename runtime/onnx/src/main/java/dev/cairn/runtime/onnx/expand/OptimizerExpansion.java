package dev.cairn.runtime.onnx.expand;

import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/**
 * One step of an optimizer for several tensors x with gradients g. Inputs are the rate, the number of updates so far,
 * and then all x, all g and the state of each x; results are the new x and states.
 */
final class OptimizerExpansion implements Upgrade {
  private static final int SCALARS = 2;

  private final int states;
  private final Rule rule;

  /** The new x, and its new states. */
  @FunctionalInterface
  interface Rule {
    List<GraphExpression> apply(Step step);
  }

  /** @param states how many tensors of state each x has */
  OptimizerExpansion(int states, Rule rule) {
    this.states = states;
    this.rule = rule;
  }

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    int kinds = states + 2;
    int count = (old.inputs().size() - SCALARS) / kinds;
    if (count < 1 || old.inputs().size() != SCALARS + count * kinds || old.outputs() > count * (kinds - 1)) {
      throw new IllegalArgumentException("not as many gradients and states as tensors: inputs=%d outputs=%d"
        .formatted(old.inputs().size(), old.outputs()));
    }
    NodeEntry[] results = new NodeEntry[count * (kinds - 1)];
    for (int i = 0; i < count; i++) {
      List<GraphExpression> made = rule.apply(new Step(new Replacement(old, scope), i, count));
      for (int kind = 0; kind < made.size(); kind++) {
        results[kind * count + i] = made.get(kind).entry();
      }
    }
    return old.first(List.of(results));
  }

  /** {@code v = a v + b g} (at first {@code a v + g}), {@code x - r v}; or after Nesterov {@code x - r (g + a v)}. */
  static List<GraphExpression> momentum(Step step) {
    GraphExpression alpha = step.real("alpha", 0);
    GraphExpression first = step.updates().eq(step.made.whole("none", 0));
    GraphExpression beta = first.where(step.like(1), step.real("beta", 0));
    GraphExpression state = alpha.mul(step.state(0)).add(beta.mul(step.gradient()));
    GraphExpression change = step.made.old().attributes().getText("mode", "standard").equals("nesterov")
      ? step.gradient().add(alpha.mul(state))
      : state;
    return List.of(step.moved(step.rate(), change), state);
  }

  /** {@code h = h + g g}, {@code x - r g / (sqrt(h) + e)}, where r is less at each update. */
  static List<GraphExpression> adagrad(Step step) {
    GraphExpression decayed = step.like(1).add(step.asReal(step.updates()).mul(step.real("decay_factor", 0)));
    GraphExpression square = step.gradient().mul(step.gradient());
    GraphExpression state = step.state(0).add(square);
    GraphExpression size = state.sqrt().add(step.real("epsilon", 1e-6f));
    return List.of(step.moved(step.rate().div(decayed), step.gradient().div(size)), state);
  }

  /** {@code v = a v + (1 - a) g}, {@code h = b h + (1 - b) g g}, {@code x - r v / (sqrt(h) + e)}. */
  static List<GraphExpression> adam(Step step) {
    GraphExpression alpha = step.real("alpha", 0.9f);
    GraphExpression beta = step.real("beta", 0.999f);
    GraphExpression mean = step.mixed(alpha, step.state(0), step.gradient());
    GraphExpression square = step.mixed(beta, step.state(1), step.gradient().mul(step.gradient()));
    GraphExpression size = square.sqrt().add(step.real("epsilon", 1e-6f));
    GraphExpression later = step.rate().mul(step.rest(beta).sqrt()).div(step.rest(alpha));
    GraphExpression first = step.updates().eq(step.made.whole("none", 0));
    GraphExpression rate = first.where(step.rate(), later);
    GraphExpression moved = step.moved(rate, mean.div(size));
    GraphExpression shrunk = moved.mul(step.like(1 - step.made.old().attributes().getFloat("norm_coefficient_post",
      0)));
    return List.of(shrunk, mean, square);
  }

  /** The nodes of one tensor. */
  record Step(Replacement made, int index, int count) {
    private GraphExpression operand(int kind) {
      return made.input(SCALARS + kind * count + index);
    }

    GraphExpression x() {
      return operand(0);
    }

    GraphExpression updates() {
      return made.input(1);
    }

    GraphExpression rate() {
      return made.input(0).castLike(x());
    }

    GraphExpression state(int which) {
      return operand(2 + which);
    }

    GraphExpression like(float value) {
      return made.single("value", value).castLike(x());
    }

    GraphExpression real(String attribute, float absent) {
      return like(made.old().attributes().getFloat(attribute, absent));
    }

    GraphExpression asReal(GraphExpression whole) {
      return whole.castLike(x());
    }

    /** The gradient, with that of a penalty for large x. */
    GraphExpression gradient() {
      return operand(1).add(real("norm_coefficient", 0).mul(x()));
    }

    GraphExpression mixed(GraphExpression share, GraphExpression before, GraphExpression fresh) {
      return share.mul(before).add(like(1).sub(share).mul(fresh));
    }

    /** The share that is left after all updates: {@code 1 - share^updates}. */
    GraphExpression rest(GraphExpression share) {
      return like(1).sub(share.pow(asReal(updates())));
    }

    GraphExpression moved(GraphExpression rate, GraphExpression change) {
      return x().sub(rate.mul(change));
    }
  }
}
