package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.Locale;
import java.util.Set;

/**
 * Finds a value's element type before types are inferred, by walking back to where it comes from: all but a few
 * operators keep the element type of their first input.
 */
public final class ElementTypeTrace {
  private static final Set<String> TO_BOOL = Set.of("And", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN",
    "Less",
    "LessOrEqual", "Not", "Or", "Xor");
  private static final Set<String> TO_INT64 = Set.of("ArgMax", "ArgMin", "NonMaxSuppression", "NonZero", "Shape",
    "Size");

  private ElementTypeTrace() {}

  /** The element type; {@code float32}, the usual one, where the trace is lost. */
  public static DType of(NodeEntry entry) {
    NodeEntry at = entry;
    while (true) {
      switch (at.node().kind()) {
        case NodeKind.Input(var type) -> {
          return type.dtype();
        }
        case NodeKind.Constant(var value) -> {
          return value.dtype();
        }
        case NodeKind.Deferred(var source) -> {
          return source.type().dtype();
        }
        case NodeKind.Variable(var initial) -> {
          return initial.dtype();
        }
        case NodeKind.Assign assign -> at = at.node().inputs().get(1);
        case NodeKind.Parameter(var dtype) -> {
          return dtype.orElse(DType.FLOAT32);
        }
        case NodeKind.Branch branch -> at = branch.then().outputs().get(at.index()).entry();
        case NodeKind.Repeat repeat -> at = repeat.body().outputs().get(1 + at.index()).entry();
        case NodeKind.Absent absent -> {
          return DType.FLOAT32;
        }
        case NodeKind.Apply apply -> {
          int next = apply.operator().equals("Where") ? 1 : 0;
          if (changesType(apply) || next >= at.node().inputs().size()) {
            return result(apply);
          }
          at = at.node().inputs().get(next);
        }
      }
    }
  }

  private static boolean changesType(NodeKind.Apply apply) {
    String name = apply.operator();
    return TO_BOOL.contains(name) || TO_INT64.contains(name) || name.equals("Cast") || name.equals("ConstantOfShape");
  }

  private static DType result(NodeKind.Apply apply) {
    if (TO_BOOL.contains(apply.operator())) {
      return DType.BOOL;
    }
    if (TO_INT64.contains(apply.operator())) {
      return DType.INT64;
    }
    if (apply.operator().equals("Cast")) {
      return DType.valueOf(apply.attributes().getText("to", "float32").toUpperCase(Locale.ROOT));
    }
    return apply.attributes().find("value").orElse(null) instanceof AttributeValue.Tensor(var value)
      ? value.dtype()
      : DType.FLOAT32;
  }
}
