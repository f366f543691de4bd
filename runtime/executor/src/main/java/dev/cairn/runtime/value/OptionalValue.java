package dev.cairn.runtime.value;

import java.util.List;
import java.util.Optional;

/**
 * An ONNX optional: a tensor or a sequence, or nothing.
 *
 * @param value the tensor or sequence; empty when there is none
 */
public record OptionalValue(Optional<Value> value) implements Value {
  /** An optional without a value. */
  public static final OptionalValue EMPTY = new OptionalValue(Optional.empty());

  /** An optional that has a value. */
  public static OptionalValue of(Value value) {
    return new OptionalValue(Optional.of(value));
  }

  @Override
  public List<Tensor> tensors() {
    return value.map(Value::tensors).orElse(List.of());
  }
}
