package dev.cairn.runtime.memory.planner.inductor.size;

import dev.cairn.runtime.memory.OffsetAlignment;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The values of sizes for given lengths of the dimensions. Remembers the parts that sizes share, so that all offsets of
 * a deep tree cost little more than one. Not for several threads.
 */
public final class Lengths {
  private final Map<String, Long> byName;
  private final IdentityHashMap<Factor, Long> known = new IdentityHashMap<>();

  public Lengths(Map<String, Long> byName) {
    this.byName = Map.copyOf(byName);
  }

  /**
   * The size's bytes.
   *
   * @throws IllegalArgumentException when a dimension has no length or a negative one
   */
  public long of(SymbolicSize size) {
    long sum = 0;
    for (Term term : size.terms()) {
      long product = term.coefficient();
      for (Factor factor : term.factors()) {
        product = Math.multiplyExact(product, of(factor));
      }
      sum = Math.addExact(sum, product);
    }
    return sum;
  }

  private long of(Factor factor) {
    Long value = known.get(factor);
    if (value == null) {
      value = switch (factor) {
        case Factor.Dimension(String name, var _) -> length(name);
        case Factor.Padded(SymbolicSize size, long alignment) -> OffsetAlignment.upExact(of(size), alignment);
        case Factor.Greatest greatest -> greatest(greatest);
      };
      known.put(factor, value);
    }
    return value;
  }

  private long greatest(Factor.Greatest greatest) {
    long most = 0;
    for (SymbolicSize size : greatest.sizes()) {
      most = Math.max(most, of(size));
    }
    return most;
  }

  private long length(String name) {
    Long length = byName.get(name);
    if (length == null || length < 0) {
      throw new IllegalArgumentException("no length for dimension: name=%s lengths=%s".formatted(name, byName));
    }
    return length;
  }
}
