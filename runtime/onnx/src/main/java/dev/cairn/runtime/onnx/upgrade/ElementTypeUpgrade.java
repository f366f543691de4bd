package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import java.util.List;
import java.util.Optional;

/**
 * The graph names the element type; the file numbers it (until opset 6, names it), and 0 is the default. Attributes
 * that only concern narrow floats are left out for other results, and where they are the default.
 */
final class ElementTypeUpgrade implements Upgrade {
  /** The attribute that has no default. */
  private static final String REQUIRED = "to";

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = numbered(old.attributes());
    Attributes named = relevant(given, ElementTypes.find(given.getLong(REQUIRED, 0)));
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

  private static Attributes numbered(Attributes given) {
    return given.find(REQUIRED).orElse(null) instanceof AttributeValue.Text(String name)
      ? given.with(REQUIRED, ElementTypes.number(name))
      : given;
  }

  /**
   * The attributes without the ones that only concern narrow floats, where they say nothing for a result of this type.
   */
  private static Attributes relevant(Attributes given, Optional<DType> to) {
    boolean isNarrow = to.isEmpty() || to.get().isNarrowFloat();
    Attributes kept = isNarrow && !given.getFlag("saturate", true) ? given : given.without("saturate");
    return isNarrow && !given.getText("round_mode", "up").equals("up") ? kept : kept.without("round_mode");
  }
}
