package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
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
    List<NodeEntry> apply(Step step);
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
      List<NodeEntry> made = rule.apply(new Step(old, scope, i, count));
      for (int kind = 0; kind < made.size(); kind++) {
        results[kind * count + i] = made.get(kind);
      }
    }
    return List.of(results).subList(0, old.outputs());
  }

  /** {@code v = a v + b g} (at first {@code a v + g}), {@code x - r v}; or after Nesterov {@code x - r (g + a v)}. */
  static List<NodeEntry> momentum(Step step) {
    NodeEntry alpha = step.real("alpha", 0);
    NodeEntry first = step.node("Equal", step.updates(), step.scope.whole(step.old, "none", 0));
    NodeEntry beta = step.node("Where", first, step.like(1), step.real("beta", 0));
    NodeEntry state = step.node("Add", step.node("Mul", alpha, step.state(0)), step.node("Mul", beta, step.gradient()));
    NodeEntry change = step.old.attributes().getText("mode", "standard").equals("nesterov")
      ? step.node("Add", step.gradient(), step.node("Mul", alpha, state))
      : state;
    return List.of(step.moved(step.rate(), change), state);
  }

  /** {@code h = h + g g}, {@code x - r g / (sqrt(h) + e)}, where r is less at each update. */
  static List<NodeEntry> adagrad(Step step) {
    NodeEntry decayed = step.node("Add", step.like(1), step.node("Mul", step.asReal(step.updates()), step.real(
      "decay_factor", 0)));
    NodeEntry square = step.node("Mul", step.gradient(), step.gradient());
    NodeEntry state = step.node("Add", step.state(0), square);
    NodeEntry size = step.node("Add", step.node("Sqrt", state), step.real("epsilon", 1e-6f));
    return List.of(step.moved(step.node("Div", step.rate(), decayed), step.node("Div", step.gradient(), size)), state);
  }

  /** {@code v = a v + (1 - a) g}, {@code h = b h + (1 - b) g g}, {@code x - r v / (sqrt(h) + e)}. */
  static List<NodeEntry> adam(Step step) {
    NodeEntry alpha = step.real("alpha", 0.9f);
    NodeEntry beta = step.real("beta", 0.999f);
    NodeEntry mean = step.mixed(alpha, step.state(0), step.gradient());
    NodeEntry square = step.mixed(beta, step.state(1), step.node("Mul", step.gradient(), step.gradient()));
    NodeEntry size = step.node("Add", step.node("Sqrt", square), step.real("epsilon", 1e-6f));
    NodeEntry later = step.node("Div", step.node("Mul", step.rate(), step.node("Sqrt", step.rest(beta))), step.rest(
      alpha));
    NodeEntry first = step.node("Equal", step.updates(), step.scope.whole(step.old, "none", 0));
    NodeEntry rate = step.node("Where", first, step.rate(), later);
    NodeEntry moved = step.moved(rate, step.node("Div", mean, size));
    NodeEntry shrunk = step.node("Mul", moved, step.like(1 - step.old.attributes().getFloat("norm_coefficient_post",
      0)));
    return List.of(shrunk, mean, square);
  }

  /** The nodes of one tensor. */
  record Step(OldNode old, UpgradeScope scope, int index, int count) {
    NodeEntry node(String operator, NodeEntry... inputs) {
      return scope.node(old, operator, Attributes.NONE, inputs);
    }

    private NodeEntry operand(int kind) {
      return old.input(SCALARS + kind * count + index);
    }

    NodeEntry x() {
      return operand(0);
    }

    NodeEntry updates() {
      return old.input(1);
    }

    NodeEntry rate() {
      return node("CastLike", old.input(0), x());
    }

    NodeEntry state(int which) {
      return operand(2 + which);
    }

    NodeEntry like(float value) {
      return node("CastLike", scope.single(old, "value", value), x());
    }

    NodeEntry real(String attribute, float absent) {
      return like(old.attributes().getFloat(attribute, absent));
    }

    NodeEntry asReal(NodeEntry whole) {
      return node("CastLike", whole, x());
    }

    /** The gradient, with that of a penalty for large x. */
    NodeEntry gradient() {
      return node("Add", operand(1), node("Mul", real("norm_coefficient", 0), x()));
    }

    NodeEntry mixed(NodeEntry share, NodeEntry before, NodeEntry fresh) {
      return node("Add", node("Mul", share, before), node("Mul", node("Sub", like(1), share), fresh));
    }

    /** What a share leaves after all updates: {@code 1 - share^updates}. */
    NodeEntry rest(NodeEntry share) {
      return node("Sub", like(1), node("Pow", share, asReal(updates())));
    }

    NodeEntry moved(NodeEntry rate, NodeEntry change) {
      return node("Sub", x(), node("Mul", rate, change));
    }
  }
}
