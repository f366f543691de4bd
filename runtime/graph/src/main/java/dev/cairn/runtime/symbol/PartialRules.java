package dev.cairn.runtime.symbol;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The rules by which operators infer types in part, by operator: from operands to results and back. An operator without
 * a row has its ordinary type rule alone, once all operands are known. To add one, add a row to the file of its family.
 */
final class PartialRules {
  /** Adds the facts that follow from one use of an operator: a rule that knows too little adds nothing. */
  @FunctionalInterface
  interface PartialRule {
    void apply(PartialCall call);
  }

  private static final PartialRule NOTHING = call -> {};
  private static final Map<String, PartialRule> TABLE = new HashMap<>();

  static {
    List.<Consumer<Map<String, PartialRule>>>of(ElementwisePartials::addTo, ProductPartials::addTo,
      NormalizationPartials::addTo, MovementPartials::addTo, SelectionPartials::addTo).forEach(it -> it.accept(TABLE));
  }

  private PartialRules() {}

  static PartialRule of(String operator) {
    return TABLE.getOrDefault(operator, NOTHING);
  }
}
