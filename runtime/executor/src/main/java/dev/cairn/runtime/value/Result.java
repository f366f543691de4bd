package dev.cairn.runtime.value;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The outputs of one run, by name. A result owns its tensors: close the result, not each tensor. A result may outlive
 * later runs and its session.
 */
public final class Result implements AutoCloseable {
  private final Map<String, Value> outputs;
  private final Ownership ownership;

  /** @param outputs of idle tensors; the result becomes their only owner */
  public Result(Map<String, ? extends Value> outputs) {
    var owned = new LinkedHashMap<String, Value>(outputs);
    this.outputs = Collections.unmodifiableMap(owned);
    this.ownership = new Ownership(this, "result with outputs " + owned.keySet(),
      () -> closeAll(owned.values()), () -> Tensor.abandonAll(tensors(owned.values())));
  }

  /** Names of the outputs, in the model's order. */
  public Set<String> names() {
    return outputs.keySet();
  }

  /**
   * Closes the tensors in all of these values; none if a run reads one, and all others if a caller reads a segment of
   * one. Then the call may be repeated.
   */
  public static void closeAll(Collection<? extends Value> values) {
    Tensor.closeAll(tensors(values));
  }

  private static List<Tensor> tensors(Collection<? extends Value> values) {
    List<Tensor> tensors = new ArrayList<>();
    for (Value value : values) {
      tensors.addAll(value.tensors());
    }
    return tensors;
  }

  /**
   * Returns one output. It stays valid until the result is closed, and keeps the result reachable.
   *
   * @throws IllegalArgumentException when no output has this name, or it is no tensor, but a sequence, for example
   * @throws IllegalStateException when closed
   */
  public Tensor get(String name) {
    Value value = found(name);
    if (value instanceof Tensor tensor) {
      return tensor.ownedBy(this);
    }
    throw new IllegalArgumentException("an output is no tensor, so read it with value(name): name=%s kind=%s".formatted(
      name, value.getClass().getSimpleName()));
  }

  /**
   * Returns one output of any kind, such as a {@link TensorSequence}. Its tensors stay valid until the result is
   * closed, and keep the result reachable.
   *
   * @throws IllegalArgumentException when no output has this name
   * @throws IllegalStateException when closed
   */
  public Value value(String name) {
    return owned(found(name));
  }

  private Value owned(Value value) {
    return switch (value) {
      case Tensor tensor -> tensor.ownedBy(this);
      case TensorSequence sequence -> new TensorSequence(sequence.dtype(), sequence.tensors().stream().map(it -> it
        .ownedBy(this)).toList());
      case OptionalValue optional -> new OptionalValue(optional.value().map(this::owned));
      case TensorMap map -> new TensorMap(map.keys().ownedBy(this), map.values().ownedBy(this));
      case TensorMap.Sequence maps -> new TensorMap.Sequence(maps.keys().ownedBy(this), maps.values().ownedBy(this));
    };
  }

  private Value found(String name) {
    ownership.requireOpen();
    Value value = outputs.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no such output: name=%s outputs=%s".formatted(name, outputs.keySet()));
    }
    return value;
  }

  /** @throws IllegalStateException when already closed, or while a run reads one of the outputs; then all stay open */
  @Override
  public void close() {
    ownership.close();
  }
}
