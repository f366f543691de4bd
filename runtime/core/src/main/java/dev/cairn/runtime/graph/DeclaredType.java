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
 * An input type as the model declares it. Text form: {@code float32[batchx3x224x224]}, {@code sequence of float32}.
 *
 * @param dimensions of a tensor; none for containers, whose tensors may differ in shape
 * @param container what contains the tensors
 */
public record DeclaredType(DType dtype, List<Dimension> dimensions, Container container) {
  /** What contains tensors. */
  public enum Container {
    NONE,
    SEQUENCE,
    OPTIONAL,
    OPTIONAL_SEQUENCE
  }

  public DeclaredType {
    dimensions = List.copyOf(dimensions);
  }

  /** The type of a tensor. */
  public DeclaredType(DType dtype, List<Dimension> dimensions) {
    this(dtype, dimensions, Container.NONE);
  }

  /** Whether this is the type of a tensor, and not of a container. */
  public boolean isTensor() {
    return container == Container.NONE;
  }

  public static DeclaredType of(TensorType type) {
    return new DeclaredType(type.dtype(), fixed(type.shape()));
  }

  private static List<Dimension> fixed(Shape shape) {
    return Arrays.stream(shape.extents()).<Dimension>mapToObj(Dimension.Fixed::new).toList();
  }

  /** The concrete type if it is a tensor's and all extents are fixed. */
  public Optional<TensorType> known() {
    if (!isTensor()) {
      return Optional.empty();
    }
    long[] extents = new long[dimensions.size()];
    for (int i = 0; i < extents.length; i++) {
      if (!(dimensions.get(i) instanceof Dimension.Fixed(long extent))) {
        return Optional.empty();
      }
      extents[i] = extent;
    }
    return Optional.of(new TensorType(dtype, Shape.of(extents)));
  }

  /** Whether a tensor of this shape is allowed: the rank and all fixed extents must match. */
  public boolean admits(Shape shape) {
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
    if (!isTensor()) {
      return container.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of " + dtype;
    }
    String extents = dimensions.stream().map(Dimension::toString).collect(Collectors.joining("x"));
    return dtype + "[" + (dimensions.isEmpty() ? "scalar" : extents) + "]";
  }
}
