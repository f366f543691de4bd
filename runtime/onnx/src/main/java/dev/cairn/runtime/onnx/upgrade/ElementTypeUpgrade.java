package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import java.util.List;

/**
 * The graph names the element type; the file numbers it, and 0 is the default. What only concerns eight-bit floats is
 * left out.
 */
final class ElementTypeUpgrade implements Upgrade {
  /** The attribute that has no default. */
  private static final String REQUIRED = "to";

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes named = old.attributes().without("saturate").without("round_mode");
    for (String attribute : ElementTypes.attributes(old.operator().name())) {
      long number = named.getLong(attribute, 0);
      if (number == 0 && !attribute.equals(REQUIRED)) {
        named = named.without(attribute);
      } else if (named.has(attribute)) {
        DType dtype = ElementTypes.find(number)
          .orElseThrow(() -> new IllegalArgumentException("no such element type: %s=%d".formatted(attribute, number)));
        named = named.with(attribute, new AttributeValue.Text(dtype.toString()));
      }
    }
    return scope.node(old.withAttributes(named));
  }
}
