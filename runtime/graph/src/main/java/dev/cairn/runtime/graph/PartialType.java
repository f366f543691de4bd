package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The known part of a tensor's type. Text form: {@code float32[64x?x7x7]}; an open rank is {@code float32[...]}, an
 * open element type {@code ?[2x3]}, and {@code ?} leaves all open.
 *
 * @param dtype the element type; empty when it is open
 * @param extents one for each axis, {@link #OPEN} for an open one; empty when the rank is open
 */
public record PartialType(Optional<DType> dtype, Optional<List<Long>> extents) {
  /** Stands for an extent that is open. */
  public static final long OPEN = -1;
  /** Nothing is known. */
  public static final PartialType UNKNOWN = new PartialType(Optional.empty(), Optional.empty());

  public PartialType {
    extents = extents.map(List::copyOf);
    if (extents.isPresent() && extents.get().stream().anyMatch(it -> it < OPEN)) {
      throw new IllegalArgumentException("negative extent: extents=" + extents.get());
    }
  }

  /** @param extents {@link #OPEN} for an open one */
  public static PartialType of(DType dtype, long... extents) {
    return new PartialType(Optional.of(dtype), Optional.of(boxed(extents)));
  }

  public static PartialType of(TensorType type) {
    return of(type.dtype(), type.shape().extents());
  }

  /** Only the element type is known. */
  public static PartialType of(DType dtype) {
    return new PartialType(Optional.of(dtype), Optional.empty());
  }

  /** Only the shape is known, perhaps in part. */
  public static PartialType ofShape(long... extents) {
    return new PartialType(Optional.empty(), Optional.of(boxed(extents)));
  }

  /** The facts of a declared type; named dimensions are open. */
  public static PartialType of(DeclaredType declared) {
    return new PartialType(declared.element(), declared.extents().map(all -> all.stream().map(
      it -> it instanceof Dimension.Fixed(long extent) ? extent : (Long) OPEN).toList()));
  }

  private static List<Long> boxed(long... extents) {
    return Arrays.stream(extents).boxed().toList();
  }

  public PartialType withDType(Optional<DType> other) {
    return new PartialType(other, extents);
  }

  public PartialType withoutDType() {
    return new PartialType(Optional.empty(), extents);
  }

  /** The same type as an input declares it; open extents have no names. */
  public DeclaredType declared() {
    return new DeclaredType(dtype, extents.map(all -> all.stream().<Dimension>map(it -> it == OPEN
      ? new Dimension.Symbol("?")
      : new Dimension.Fixed(it)).toList()));
  }

  /** The number of axes, or -1 when it is open. */
  public int rank() {
    return extents.map(List::size).orElse(-1);
  }

  /** An extent of a type whose rank is known; {@link #OPEN} when it is open. */
  public long extent(int axis) {
    return extents.orElseThrow().get(axis);
  }

  /** The type, if nothing is open. */
  public Optional<TensorType> known() {
    if (dtype.isEmpty() || extents.isEmpty() || extents.get().contains(OPEN)) {
      return Optional.empty();
    }
    return Optional.of(new TensorType(dtype.get(), Shape.of(extents.get().stream().mapToLong(Long::longValue)
      .toArray())));
  }

  /** The type that has all facts of this one and another; empty when they contradict each other. */
  public Optional<PartialType> meet(PartialType other) {
    if (dtype.isPresent() && other.dtype.isPresent() && !dtype.equals(other.dtype)) {
      return Optional.empty();
    }
    Optional<DType> element = dtype.or(() -> other.dtype);
    if (extents.isEmpty() || other.extents.isEmpty()) {
      return Optional.of(new PartialType(element, extents.or(() -> other.extents)));
    }
    if (rank() != other.rank()) {
      return Optional.empty();
    }
    List<Long> both = new ArrayList<>();
    for (int axis = 0; axis < rank(); axis++) {
      long mine = extent(axis);
      long its = other.extent(axis);
      if (mine != OPEN && its != OPEN && mine != its) {
        return Optional.empty();
      }
      both.add(mine == OPEN ? its : mine);
    }
    return Optional.of(new PartialType(element, Optional.of(both)));
  }

  @Override
  public String toString() {
    String element = dtype.map(DType::toString).orElse("?");
    if (extents.isEmpty()) {
      return dtype.isEmpty() ? "?" : element + "[...]";
    }
    String inside = extents.get().stream().map(it -> it == OPEN ? "?" : it.toString()).collect(Collectors.joining("x"));
    return element + "[" + (extents.get().isEmpty() ? "scalar" : inside) + "]";
  }
}
