package dev.cairn.benchmarks.breadth;

import dev.cairn.runtime.operator.OperatorDefinition;
import java.util.function.Consumer;

/**
 * One combination of operands and attributes, whatever the operator.
 *
 * @param name in a few words
 * @param elementwise whether it is for operators that make each element from those at its place, or for all others
 * @param overAxes whether it has an axis that may be the first, a middle or the last one
 * @param allSizes whether it is measured in all sizes, or in the typical one alone
 * @param writer writes the node
 */
record Form(String name, boolean elementwise, boolean overAxes, boolean allSizes, Consumer<OneNode> writer) {

  /** A form for elementwise operators. */
  static Form elementwise(String name, boolean allSizes, Consumer<OneNode> writer) {
    return new Form(name, true, false, allSizes, writer);
  }

  /** A form along an axis. */
  static Form along(String name, Consumer<OneNode> writer) {
    return new Form(name, false, true, true, writer);
  }

  /** Any other form. */
  static Form whole(String name, boolean allSizes, Consumer<OneNode> writer) {
    return new Form(name, false, false, allSizes, writer);
  }

  /** The number of places that the axis may have. */
  int places() {
    return overAxes ? BreadthCase.PLACES.size() : 1;
  }

  boolean isFor(OperatorDefinition operator) {
    return operator.memory().elementwise() == elementwise;
  }
}
