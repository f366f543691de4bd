package dev.cairn.kernels.catalog;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call's types and attributes, which are known before the call has memory.
 *
 * @param inputs one type for each input; empty for an absent optional input
 * @param outputs one type for each output
 */
public record KernelSignature(List<Optional<TensorType>> inputs, List<TensorType> outputs, Attributes attributes) {
  public KernelSignature {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** A signature without absent inputs. */
  public static KernelSignature of(List<TensorType> inputs, List<TensorType> outputs, Attributes attributes) {
    return new KernelSignature(inputs.stream().map(Optional::of).toList(), outputs, attributes);
  }

  /** The signature of a call. */
  public static KernelSignature of(KernelCall call) {
    List<Optional<TensorType>> inputs = new ArrayList<>();
    for (int i = 0; i < call.inputCount(); i++) {
      inputs.add(call.has(i) ? Optional.of(call.input(i).type()) : Optional.empty());
    }
    List<TensorType> outputs = new ArrayList<>();
    for (int i = 0; i < call.outputCount(); i++) {
      outputs.add(call.output(i).type());
    }
    return new KernelSignature(inputs, outputs, call.attributes());
  }

  public boolean has(int input) {
    return input < inputs.size() && inputs.get(input).isPresent();
  }

  /** Whether any operand or result has strings. */
  public boolean hasStrings() {
    return inputs.stream().anyMatch(it -> it.isPresent() && it.get().dtype() == DType.STRING)
      || outputs.stream().anyMatch(it -> it.dtype() == DType.STRING);
  }

  public TensorType input(int index) {
    return inputs.get(index).orElseThrow(() -> new IllegalArgumentException("input left out: index=" + index));
  }

  public TensorType output(int index) {
    return outputs.get(index);
  }

  // Written out: a record's own methods are slow until the JVM has compiled them, and opening a model asks often.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof KernelSignature that && inputs.equals(that.inputs) && outputs.equals(
      that.outputs) && attributes.equals(that.attributes));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * inputs.hashCode() + outputs.hashCode()) + attributes.hashCode();
  }
}
