package dev.cairn.runtime.train.optimizer;

import dev.cairn.runtime.expression.Expression;
import java.util.List;
import java.util.Map;

/**
 * The formula of an optimizer. Update numbers count from 1. The text form of a rule has its name and all settings.
 */
public interface UpdateRule {
  /** The factor that is the learning rate. */
  String RATE = "rate";

  /** In lower case, such as {@code adam}; the first part of the names of its states. */
  String name();

  /**
   * The states that the rule keeps for each parameter, such as {@code m}; each has the parameter's shape and starts as
   * zeros.
   */
  List<String> states();

  /** Whether the gradient gets the weight decay before the rule does; if not, the rule itself decays. */
  default boolean decaysGradient() {
    return true;
  }

  /**
   * The numbers of one update that depend on its number, by name. The host computes them in double, so that an
   * iteration need not be planned anew.
   *
   * @param rate the learning rate of this update
   * @param number the update's number
   */
  default Map<String, Double> factors(double rate, long number) {
    return Map.of(RATE, rate);
  }

  /** Whether a factor grows with the learning rate, so that a parameter's own rate scales it. */
  default boolean isRate(String factor) {
    return factor.equals(RATE);
  }

  /**
   * The new parameter.
   *
   * @param <T> an array, or an entry of a graph
   * @return the new parameter, then its new states in their order
   */
  <T extends Expression<T>> List<T> update(UpdateTerms<T> terms);
}
