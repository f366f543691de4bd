package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An input type as the model declares it. Text form: {@code float32[1x3]}, {@code float32[batch x 3 x 224 x 224]},
 * {@code sequence of float32}, {@code string map of float32}. A symbol's input may leave its element type open, as in
 * {@code ?[2x3]}, and its rank too, as in {@code float32[...]}; {@code ?} leaves both open.
 *
 * @param element the element type; empty when it is open
 * @param extents one for each axis; empty when the rank is open; none for containers, whose tensors may differ in shape
 * @param container what contains the tensors
 */
public record DeclaredType(Optional<DType> element, Optional<List<Dimension>> extents, Container container) {
  /** Admits every type. */
  public static final DeclaredType OPEN = new DeclaredType(Optional.empty(), Optional.empty());

  /** The kind of container. */
  public enum Container {
    NONE,
    SEQUENCE,
    OPTIONAL,
    OPTIONAL_SEQUENCE,
    /** A map from strings, whose values have the element type. */
    STRING_MAP,
    /** A map from {@code int64}, whose values have the element type. */
    INT64_MAP
  }

  public DeclaredType {
    extents = extents.map(List::copyOf);
  }

  /** The type of a tensor, of which the element type or the rank may be open. */
  public DeclaredType(Optional<DType> element, Optional<List<Dimension>> extents) {
    this(element, extents, Container.NONE);
  }

  /** The type of a tensor. */
  public DeclaredType(DType dtype, List<Dimension> dimensions) {
    this(dtype, dimensions, Container.NONE);
  }

  /** @param dimensions of a tensor; none for containers */
  public DeclaredType(DType dtype, List<Dimension> dimensions, Container container) {
    this(Optional.of(dtype), Optional.of(dimensions), container);
  }

  /** Whether this is the type of a tensor, and not of a container. */
  public boolean isTensor() {
    return container == Container.NONE;
  }

  public static DeclaredType of(TensorType type) {
    return new DeclaredType(type.dtype(), fixed(type.shape()));
  }

  /** @throws IllegalStateException when the element type is open */
  public DType dtype() {
    return element.orElseThrow(() -> new IllegalStateException("the element type is open: type=" + this));
  }

  /** @throws IllegalStateException when the rank is open */
  public List<Dimension> dimensions() {
    return extents.orElseThrow(() -> new IllegalStateException("the rank is open: type=" + this));
  }

  /** Whether neither the element type nor the rank is open. */
  public boolean hasRank() {
    return element.isPresent() && extents.isPresent();
  }

  private static List<Dimension> fixed(Shape shape) {
    return Arrays.stream(shape.extents()).<Dimension>mapToObj(Dimension.Fixed::new).toList();
  }

  /** The concrete type if nothing is open. */
  public Optional<TensorType> known() {
    if (!isTensor() || !hasRank()) {
      return Optional.empty();
    }
    List<Dimension> dimensions = dimensions();
    long[] fixed = new long[dimensions.size()];
    for (int i = 0; i < fixed.length; i++) {
      if (!(dimensions.get(i) instanceof Dimension.Fixed(long extent))) {
        return Optional.empty();
      }
      fixed[i] = extent;
    }
    return Optional.of(new TensorType(dtype(), Shape.of(fixed)));
  }

  /** Whether a tensor of this type is allowed: what is not open must match. */
  public boolean admits(TensorType type) {
    return (element.isEmpty() || element.get() == type.dtype()) && admits(type.shape());
  }

  /** Whether a tensor of this shape is allowed: the rank and all fixed extents must match. */
  public boolean admits(Shape shape) {
    if (extents.isEmpty()) {
      return true;
    }
    List<Dimension> dimensions = extents.get();
    if (shape.rank() != dimensions.size()) {
      return false;
    }
    for (int i = 0; i < shape.rank(); i++) {
      if (dimensions.get(i) instanceof Dimension.Fixed(long extent) && extent != shape.extent(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    String named = element.map(DType::toString).orElse("?");
    if (!isTensor()) {
      return container.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of " + named;
    }
    if (extents.isEmpty()) {
      return element.isEmpty() ? "?" : named + "[...]";
    }
    boolean hasNames = extents.get().stream().anyMatch(it -> it instanceof Dimension.Symbol(String name)
      && !name.equals("?"));
    String inside = extents.get().stream().map(Dimension::toString).collect(Collectors.joining(hasNames ? " x " : "x"));
    return named + "[" + (extents.get().isEmpty() ? "scalar" : inside) + "]";
  }
}
