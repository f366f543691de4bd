package dev.cairn.runtime.memory.planner.inductor.size;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A number times factors.
 *
 * @param coefficient more than 0
 * @param factors in {@link Factor#ORDER}, repeated for powers; none for a constant
 */
record Term(long coefficient, List<Factor> factors) {
  /** Constants first, then by the factors, compared one after the other. */
  static final Comparator<Term> ORDER = (a, b) -> {
    for (int i = 0; i < Math.min(a.factors.size(), b.factors.size()); i++) {
      int order = Factor.ORDER.compare(a.factors.get(i), b.factors.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.factors.size(), b.factors.size());
  };

  Term {
    factors = List.copyOf(factors);
  }

  Term times(Term other) {
    List<Factor> product = new ArrayList<>(factors);
    product.addAll(other.factors);
    product.sort(Factor.ORDER);
    return new Term(Math.multiplyExact(coefficient, other.coefficient), product);
  }

  OptionalLong hint() {
    long product = coefficient;
    for (Factor factor : factors) {
      OptionalLong hint = factor.hint();
      if (hint.isEmpty()) {
        return hint;
      }
      product = Math.multiplyExact(product, hint.getAsLong());
    }
    return OptionalLong.of(product);
  }

  /** Whether it is a single factor of this kind, taken once. */
  boolean isOne(Class<? extends Factor> kind) {
    return coefficient == 1 && factors.size() == 1 && kind.isInstance(factors.getFirst());
  }

  boolean isMultipleOf(long alignment) {
    return coefficient % alignment == 0 || factors.stream().anyMatch(factor -> factor.isMultipleOf(alignment));
  }

  @Override
  public String toString() {
    String product = factors.stream().map(Factor::toString).collect(Collectors.joining("*"));
    return coefficient != 1 && !product.isEmpty()
      ? coefficient + "*" + product
      : product.isEmpty() ? Long.toString(coefficient) : product;
  }
}
