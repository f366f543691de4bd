package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.NativeTensor;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.train.initializer.Initializer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tensor that belongs to a layer: one that training changes by its gradient, or a <em>state</em>, which the layer
 * itself replaces, such as running statistics. Its type may be open in part until data decides it. Layers that share a
 * parameter have the same object.
 */
public final class Parameter {

  private final String name;
  private final boolean isState;
  private final @Nullable Initializer initializer;
  private PartialType type;
  private boolean isFrozen;
  private @Nullable TensorView value;

  Parameter(String name, PartialType type, boolean isState, @Nullable Initializer initializer) {
    this.name = name;
    this.type = type;
    this.isState = isState;
    this.initializer = initializer;
  }

  /** The name within its layer, such as {@code weight}. */
  public String name() {
    return name;
  }

  /** The known part of the type; the element type always is. */
  public PartialType type() {
    return type;
  }

  public boolean isState() {
    return isState;
  }

  /** Whether training changes it: no state, and not frozen. */
  public boolean isTrainable() {
    return !isState && !isFrozen;
  }

  /** Keeps training from changing it, or allows that again. */
  public void freeze(boolean frozen) {
    isFrozen = frozen;
  }

  /** What it was declared with, if it doesn't take the one of its network. */
  public Optional<Initializer> initializer() {
    return Optional.ofNullable(initializer);
  }

  public boolean isInitialized() {
    return value != null;
  }

  /**
   * The values, in native memory. A write to them changes the parameter.
   *
   * @throws IllegalStateException when it has none yet
   */
  public TensorView value() {
    if (value == null) {
      throw new IllegalStateException("a parameter has no values yet: parameter=%s type=%s; call initialize, load a "
        .formatted(name, type) + "state dict, or apply the layer to arrays first");
    }
    return value;
  }

  /**
   * Replaces the values with a copy of others.
   *
   * @throws IllegalArgumentException when they have another type
   */
  public void set(TensorView other) {
    settle(other.type());
    if (value == null) {
      value = NativeTensor.allocate(other.type());
    }
    value.segment().copyFrom(other.segment());
  }

  /** Completes the type. */
  void settle(TensorType known) {
    type = type.meet(PartialType.of(known)).orElseThrow(() -> new IllegalArgumentException(
      "a parameter has another type: parameter=%s type=%s other=%s".formatted(name, type, known)));
  }

  /** Gives it another element type, and forgets its values. */
  void retype(DType dtype) {
    type = new PartialType(Optional.of(dtype), type.extents());
    value = null;
  }

  /** Fills it with first values. */
  void initialize(String path, Initializer fallback, RandomState random) {
    TensorType known = type.known().orElseThrow(() -> new IllegalStateException(
      "the parameter's type is open: parameter=%s type=%s; give initialize the types of the data".formatted(path,
        type)));
    TensorView fresh = NativeTensor.allocate(known);
    (initializer == null ? fallback : initializer).fill(path, fresh, random);
    value = fresh;
  }

  @Override
  public String toString() {
    return name + " " + type;
  }
}
