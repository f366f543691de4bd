package dev.cairn.runtime.memory.planner.inductor.size;

import dev.cairn.runtime.memory.OffsetAlignment;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The factors of a term. Immutable. */
public sealed interface Factor {
  /** Dimensions by name, then paddings, then maxima, each by what is in them: the order in which sizes are written. */
  Comparator<Factor> ORDER = Factor::compare;

  /** The factor's value for the dimensions' hints; empty when a dimension has no hint. */
  OptionalLong hint();

  /** Whether it is a multiple of the alignment, whatever the dimensions. */
  boolean isMultipleOf(long alignment);

  /** 0 for dimensions, 1 for paddings, 2 for maxima. */
  int rank();

  @SuppressWarnings("ReferenceEquality") // equal parts are mostly shared, and comparing deep ones takes long
  private static int compare(Factor a, Factor b) {
    if (a == b) {
      return 0;
    }
    return switch (a) {
      case Dimension one when b instanceof Dimension other -> one.name.compareTo(other.name);
      case Padded one when b instanceof Padded other -> {
        int order = Long.compare(one.alignment, other.alignment);
        yield order == 0 ? SymbolicSize.ORDER.compare(one.size, other.size) : order;
      }
      case Greatest one when b instanceof Greatest other -> {
        int order = Integer.compare(one.sizes.size(), other.sizes.size());
        for (int i = 0; order == 0 && i < one.sizes.size(); i++) {
          order = SymbolicSize.ORDER.compare(one.sizes.get(i), other.sizes.get(i));
        }
        yield order;
      }
      default -> Integer.compare(a.rank(), b.rank());
    };
  }

  /**
   * A length that is known when the program runs, at least 0.
   *
   * @param name as the program writes it, {@code s0}
   * @param hint the length when it was compiled; empty for an unbacked one
   */
  record Dimension(String name, OptionalLong hint) implements Factor {
    public Dimension {
      if (name.isBlank() || (hint.isPresent() && hint.getAsLong() < 0)) {
        throw new IllegalArgumentException("bad dimension: name=%s hint=%s".formatted(name, hint));
      }
    }

    @Override
    public boolean isMultipleOf(long alignment) {
      return alignment == 1;
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A size rounded up to a power of two, which it is not provably a multiple of. */
  record Padded(SymbolicSize size, long alignment) implements Factor {
    @Override
    public OptionalLong hint() {
      OptionalLong hint = size.hint();
      return hint.isEmpty() ? hint : OptionalLong.of(OffsetAlignment.upExact(hint.getAsLong(), alignment));
    }

    @Override
    public boolean isMultipleOf(long wanted) {
      return alignment % wanted == 0;
    }

    @Override
    public int rank() {
      return 1;
    }

    @Override
    public String toString() {
      return alignment == SymbolicSize.USUAL_ALIGNMENT
        ? "align(" + size + ")"
        : "align(" + size + ", " + alignment + ")";
    }
  }

  /** The greatest of two or more sizes, if no size is provably the greatest. */
  record Greatest(List<SymbolicSize> sizes) implements Factor {
    public Greatest {
      sizes = List.copyOf(sizes);
    }

    @Override
    public OptionalLong hint() {
      return sizes.stream().anyMatch(size -> size.hint().isEmpty())
        ? OptionalLong.empty()
        : sizes.stream().mapToLong(size -> size.hint().orElseThrow()).max();
    }

    @Override
    public boolean isMultipleOf(long alignment) {
      return sizes.stream().allMatch(size -> size.isMultipleOf(alignment));
    }

    @Override
    public int rank() {
      return 2;
    }

    @Override
    public String toString() {
      return sizes.stream().map(SymbolicSize::toString).collect(Collectors.joining(", ", "max(", ")"));
    }
  }
}
