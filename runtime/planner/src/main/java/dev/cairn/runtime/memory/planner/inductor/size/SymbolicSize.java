package dev.cairn.runtime.memory.planner.inductor.size;

import dev.cairn.runtime.memory.OffsetAlignment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A number of bytes, at least 0: a polynomial over dimensions, and over sizes rounded up or the greatest of several.
 * Immutable and canonical: two that are {@link #equals equal} are equal for all dimensions, and a fixed number of bytes
 * is just a constant. Text form: {@code 24 + 4*s0*s1 + align(4*s0*s0)}. Arithmetic throws
 * {@link ArithmeticException} where a {@code long} overflows.
 */
public final class SymbolicSize {
  /** Inductor's alignment, in bytes; {@code align(x)} in the text form. */
  public static final long USUAL_ALIGNMENT = 64;
  public static final SymbolicSize ZERO = new SymbolicSize(List.of());

  /** Term by term: the order in which a maximum is written. */
  static final Comparator<SymbolicSize> ORDER = (a, b) -> {
    for (int i = 0; i < Math.min(a.terms.size(), b.terms.size()); i++) {
      int order = Term.ORDER.thenComparingLong(Term::coefficient).compare(a.terms.get(i), b.terms.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.terms.size(), b.terms.size());
  };

  /** In {@link Term#ORDER}, no two with the same factors; none when it is 0. */
  private final List<Term> terms;

  private SymbolicSize(List<Term> terms) {
    this.terms = terms;
  }

  /** A fixed number of bytes, at least 0. */
  public static SymbolicSize of(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size: bytes=%d".formatted(bytes));
    }
    return bytes == 0 ? ZERO : new SymbolicSize(List.of(new Term(bytes, List.of())));
  }

  /** A dimension that had this length when the program was compiled. */
  public static SymbolicSize dimension(String name, long hint) {
    return of(new Factor.Dimension(name, OptionalLong.of(hint)));
  }

  /** A dimension whose length is known only once a kernel has run. */
  public static SymbolicSize unbacked(String name) {
    return of(new Factor.Dimension(name, OptionalLong.empty()));
  }

  private static SymbolicSize of(Factor factor) {
    return new SymbolicSize(List.of(new Term(1, List.of(factor))));
  }

  /** The greatest of the sizes; terms that provably are never the greatest are left out. 0 without sizes. */
  public static SymbolicSize max(Collection<SymbolicSize> sizes) {
    List<SymbolicSize> candidates = sizes.stream().flatMap(SymbolicSize::candidates).toList();
    long fixedBytes = candidates.stream().filter(SymbolicSize::isFixed).mapToLong(SymbolicSize::fixedBytes).max()
      .orElse(0);
    LinkedHashSet<SymbolicSize> greatest = new LinkedHashSet<>(List.of(of(fixedBytes)));
    for (SymbolicSize size : candidates) {
      if (!size.isFixed() && greatest.stream().noneMatch(other -> other.isAtLeast(size))) {
        greatest.removeIf(size::isAtLeast);
        greatest.add(size);
      }
    }
    return greatest.size() == 1
      ? greatest.getFirst()
      : of(new Factor.Greatest(greatest.stream().sorted(ORDER).toList()));
  }

  /** The sizes of which this is the greatest, if this is such a term alone; else this size itself. */
  private Stream<SymbolicSize> candidates() {
    return terms.size() == 1 && terms.getFirst().isOne(Factor.Greatest.class)
      ? ((Factor.Greatest) terms.getFirst().factors().getFirst()).sizes().stream()
      : Stream.of(this);
  }

  public SymbolicSize plus(SymbolicSize other) {
    if (isFixed() && other.isFixed()) {
      return of(Math.addExact(fixedBytes(), other.fixedBytes()));
    }
    List<Term> sum = new ArrayList<>();
    int at = 0;
    for (Term term : terms) {
      while (at < other.terms.size() && Term.ORDER.compare(other.terms.get(at), term) < 0) {
        sum.add(other.terms.get(at++));
      }
      boolean alike = at < other.terms.size() && Term.ORDER.compare(other.terms.get(at), term) == 0;
      sum.add(alike
        ? new Term(Math.addExact(term.coefficient(), other.terms.get(at++).coefficient()), term.factors())
        : term);
    }
    sum.addAll(other.terms.subList(at, other.terms.size()));
    return new SymbolicSize(List.copyOf(sum));
  }

  public SymbolicSize times(SymbolicSize other) {
    SymbolicSize product = ZERO;
    for (Term term : terms) {
      for (Term factor : other.terms) {
        product = product.plus(new SymbolicSize(List.of(term.times(factor))));
      }
    }
    return product;
  }

  public SymbolicSize times(long factor) {
    return times(of(factor));
  }

  /** Rounded up to a power of two; terms that provably are multiples stay as they are. */
  public SymbolicSize align(long alignment) {
    if (!OffsetAlignment.isPowerOfTwo(alignment)) {
      throw new IllegalArgumentException("alignment is not a power of two: alignment=%d".formatted(alignment));
    }
    if (isFixed()) {
      return of(OffsetAlignment.upExact(fixedBytes(), alignment));
    }
    if (isMultipleOf(alignment)) {
      return this;
    }
    // Sums of padded sizes are padded again at each level of a tree: split into terms, they stay flat.
    SymbolicSize multiples = only(term -> term.isMultipleOf(alignment));
    SymbolicSize rest = only(term -> !term.isMultipleOf(alignment));
    return multiples.plus(rest.isFixed() ? rest.align(alignment) : of(new Factor.Padded(rest, alignment)));
  }

  private SymbolicSize only(Predicate<Term> wanted) {
    return new SymbolicSize(terms.stream().filter(wanted).toList());
  }

  /** Whether the size is the same for all dimensions. */
  public boolean isFixed() {
    return terms.isEmpty() || (terms.size() == 1 && terms.getFirst().factors().isEmpty());
  }

  private long fixedBytes() {
    return terms.isEmpty() ? 0 : terms.getFirst().coefficient();
  }

  /** Whether it provably is a multiple of the alignment, whatever the dimensions. */
  public boolean isMultipleOf(long alignment) {
    return terms.stream().allMatch(term -> term.isMultipleOf(alignment));
  }

  /** Whether it provably is no less than the other, whatever the dimensions; "no" proves nothing. */
  public boolean isAtLeast(SymbolicSize other) {
    return Domination.isAtLeast(terms, other.terms);
  }

  List<Term> terms() {
    return terms;
  }

  /** The bytes for the dimensions' hints; empty when a dimension is unbacked. */
  public OptionalLong hint() {
    long sum = 0;
    for (Term term : terms) {
      OptionalLong hint = term.hint();
      if (hint.isEmpty()) {
        return hint;
      }
      sum = Math.addExact(sum, hint.getAsLong());
    }
    return OptionalLong.of(sum);
  }

  /**
   * The bytes for these lengths of the dimensions, by name. For many sizes, {@link Lengths} is faster.
   *
   * @throws IllegalArgumentException when one is missing or negative
   */
  public long at(Map<String, Long> dimensions) {
    return new Lengths(dimensions).of(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SymbolicSize size && terms.equals(size.terms);
  }

  @Override
  public int hashCode() {
    return terms.hashCode();
  }

  @Override
  public String toString() {
    return terms.isEmpty() ? "0" : terms.stream().map(Term::toString).collect(Collectors.joining(" + "));
  }
}
