package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import java.util.Optional;

/**
 * The attributes of {@code QuantizeLinear} and {@code DequantizeLinear}. {@link QuantizedLines} applies them to shapes.
 * Defaults are those of ONNX operator set 22, and of 23 for {@code precision}.
 *
 * @param axis that has scales of its own, by default 1
 * @param block attribute {@code block_size}, by default 0: how many neighbours along the axis share a scale; 0 for all
 * @param dtype attribute {@code output_dtype}: the type of the result; empty where the zero point or the scale says it
 * @param precision the type in which QuantizeLinear divides; empty for that of the scale
 */
public record QuantizedForm(long axis, long block, Optional<String> dtype, Optional<String> precision) {
  public static QuantizedForm of(Attributes attributes) {
    return new QuantizedForm(attributes.getLong("axis", 1), attributes.getLong("block_size", 0), CastForm.text(
      attributes, "output_dtype"), CastForm.text(attributes, "precision"));
  }

  /** Whether a division by a scale of this type is in this type. */
  public boolean dividesIn(DType scale) {
    return precision.map(it -> it.equals(scale.toString())).orElse(true);
  }
}
