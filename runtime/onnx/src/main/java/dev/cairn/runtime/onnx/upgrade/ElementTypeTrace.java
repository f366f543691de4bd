package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.operator.partial.PartialRule;
import dev.cairn.runtime.operator.partial.ResultElement;
import java.util.List;
import java.util.Optional;

/**
 * Finds a value's element type before types are inferred, by walking back to where it comes from. Rules of
 * types in part tell which operand has a result's element type; other operators keep that of their first input.
 */
public final class ElementTypeTrace {
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
          PartialRule rule = StandardOperators.table().facts(apply.operator()).partial();
          Optional<DType> told = ResultElement.of(rule, at, _ -> Optional.empty());
          if (told.isPresent() || at.node().inputs().isEmpty()) {
            return told.orElse(DType.FLOAT32);
          }
          at = source(rule, at);
        }
      }
    }
  }

  /** The operand whose element type a result has: by the operator's rule, or else the first one. */
  private static NodeEntry source(PartialRule rule, NodeEntry result) {
    List<NodeEntry> inputs = result.node().inputs();
    for (NodeEntry input : inputs) {
      if (!input.isAbsent() && ResultElement.of(rule, result, it -> it.equals(input)
        ? Optional.of(DType.FLOAT32)
        : Optional.empty()).isPresent()) {
        return input;
      }
    }
    return inputs.getFirst();
  }
}
