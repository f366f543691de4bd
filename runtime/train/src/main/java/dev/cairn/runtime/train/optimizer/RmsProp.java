package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.schedule.Amount;
import java.util.ArrayList;
import java.util.List;

/**
 * RMSProp; centred, it divides by the deviation of gradients instead of their mean square.
 *
 * <pre>
 * s = alpha·s + (1 - alpha)·g²            centred: a = alpha·a + (1 - alpha)·g, and max(s - a², 0) in place of s below
 * PYTORCH            d = momentum·d + g / (√s + epsilon)       w -= rate·d
 * MXNET              w -= rate·g / √(s + epsilon)
 * MXNET, centred     d = momentum·d - rate·g / √(s + epsilon)  w += d
 * </pre>
 *
 * @param momentum of the step; 0 for none
 * @param clipWeights the largest magnitude of an element of the parameter; infinite for none
 */
public record RmsProp(double alpha, double epsilon, boolean centred, double momentum, double clipWeights,
  EpsilonRule rule) implements UpdateRule {
  public RmsProp {
    Amount.requireBelowOne("alpha", alpha);
    Amount.requireNotNegative("epsilon", epsilon);
    Amount.requireNotNegative("momentum", momentum);
    if (!(clipWeights > 0)) {
      throw new IllegalArgumentException("the bound of clipped weights must be positive: clipWeights=" + clipWeights);
    }
  }

  @Override
  public String name() {
    return "rmsprop";
  }

  @Override
  public List<String> states() {
    List<String> states = new ArrayList<>(List.of("square"));
    if (centred) {
      states.add("mean");
    }
    if (momentum != 0) {
      states.add("step");
    }
    return states;
  }

  @Override
  public <T extends Expression<T>> List<T> update(UpdateTerms<T> terms) {
    T gradient = terms.gradient();
    List<T> states = new ArrayList<>();
    T square = terms.moved(terms.state(0), alpha, gradient.square());
    states.add(square);
    T spread = square;
    if (centred) {
      T mean = terms.moved(terms.state(1), alpha, gradient);
      states.add(mean);
      // Of nearly equal gradients, rounding can make the difference negative.
      spread = square.sub(mean.square()).relu();
    }
    T root = rule == EpsilonRule.MXNET ? spread.add(epsilon).sqrt() : spread.sqrt().add(epsilon);
    T parameter = stepped(terms, gradient, root, states);
    T clipped = Double.isInfinite(clipWeights) ? parameter : parameter.clip(-clipWeights, clipWeights);
    states.addFirst(clipped);
    return states;
  }

  /** Adds the state of the step, if there is one. */
  private <T extends Expression<T>> T stepped(UpdateTerms<T> terms, T gradient, T root, List<T> states) {
    if (momentum == 0) {
      return terms.parameter().sub(gradient.mul(terms.rate()).div(root));
    }
    T kept = terms.state(states.size()).mul(momentum);
    boolean scaled = rule == EpsilonRule.MXNET;
    T step = scaled ? kept.sub(gradient.mul(terms.rate()).div(root)) : kept.add(gradient.div(root));
    states.add(step);
    return scaled ? terms.parameter().add(step) : terms.parameter().sub(step.mul(terms.rate()));
  }
}
