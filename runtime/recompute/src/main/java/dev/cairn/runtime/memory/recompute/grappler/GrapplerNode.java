package dev.cairn.runtime.memory.recompute.grappler;

import java.util.List;
import java.util.Set;

/**
 * A node of a TensorFlow graph.
 *
 * @param inputs {@code b} for the first result of {@code b}, {@code b:1} for the second, {@code ^b} where the node only
 *   has to wait for {@code b}
 * @param device the device's name, empty where none is given
 * @param attributes names of the attributes it has
 */
public record GrapplerNode(String name, String op, List<String> inputs, String device, Set<String> attributes) {
  /** A request to run the node again, given by hand. */
  public static final String RECOMPUTE_HINT = "_recompute_hint";

  /** Keeps copies. */
  public GrapplerNode {
    inputs = List.copyOf(inputs);
    attributes = Set.copyOf(attributes);
  }

  /** Whether the optimizer knows this of the node's operator. */
  boolean is(GrapplerOperator.Fact fact) {
    return GrapplerOperator.has(op, fact);
  }

  /** The name of the node that an input comes from. */
  static String producer(String input) {
    int begin = input.startsWith("^") ? 1 : 0;
    int colon = input.lastIndexOf(':');
    return colon > begin ? input.substring(begin, colon) : input.substring(begin);
  }

  /** The number of the result that an input is, -1 for an input that is only waited for. */
  static int port(String input) {
    int colon = input.lastIndexOf(':');
    return isControl(input) ? -1 : colon > 0 ? Integer.parseInt(input.substring(colon + 1)) : 0;
  }

  static boolean isControl(String input) {
    return input.startsWith("^");
  }

  /** The inputs that are values. */
  List<String> values() {
    return inputs.stream().filter(it -> !isControl(it)).toList();
  }

  GrapplerNode withInputs(List<String> others) {
    return new GrapplerNode(name, op, others, device, attributes);
  }
}
