package dev.cairn.kernels.attribute;

import org.jspecify.annotations.Nullable;

/**
 * The attribute {@code value} of a constant, and of {@code ConstantOfShape}, which fills a tensor with its only
 * element.
 *
 * @param value a tensor, if the node is valid; null where the node does not have the attribute: a filled tensor then
 *   has zeros of {@code float32}
 */
public record ConstantForm(@Nullable AttributeValue value) {
  public static ConstantForm of(Attributes attributes) {
    return new ConstantForm(attributes.find("value").orElse(null));
  }
}
