package dev.cairn.runtime.operator;

import dev.cairn.runtime.graph.InvalidGraph;
import java.util.Set;

/**
 * A shape depends on a value that is not known when the graph is planned. If small inputs decide it, a plan can be made
 * for their values.
 */
public final class ValueDependentShape extends InvalidGraph {
  private static final long serialVersionUID = 1;

  private final String reason;
  private final int input;
  private final transient Set<String> inputs;

  /**
   * @param node whose results have such a shape
   * @param input the operand that the shape depends on
   */
  public ValueDependentShape(String node, int input, String message) {
    this(node, input, message, Set.of());
  }

  private ValueDependentShape(String node, int input, String message, Set<String> inputs) {
    super(node, message);
    this.reason = message;
    this.input = input;
    this.inputs = Set.copyOf(inputs);
  }

  /** The same exception, with the graph's inputs that decide the value. */
  public ValueDependentShape decidedBy(Set<String> deciding) {
    return new ValueDependentShape(node(), input, reason, deciding);
  }

  /** The operand that the shape depends on. */
  public int input() {
    return input;
  }

  /**
   * The graph's inputs whose values decide the shape; empty when something else does, too, such as a variable, or when
   * that is not known.
   */
  public Set<String> inputs() {
    return inputs;
  }
}
