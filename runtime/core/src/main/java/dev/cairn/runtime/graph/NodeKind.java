package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;

/** What a node does. Equal kinds over the same entries compute the same values. */
public sealed interface NodeKind {
  /** How many entries a node of this kind has. */
  int outputs();

  /** The attributes for the node's kernel. */
  default Attributes attributes() {
    return Attributes.NONE;
  }

  /** A tensor that the caller passes to each run. */
  record Input(DeclaredType type) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /** A constant tensor: a weight, a shape or a folded result. The bytes live as long as the node. */
  record Constant(TensorView value) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /** A constant tensor that is computed when a session loads it: a folded weight. */
  record Deferred(ConstantSource.Computed source) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /**
   * A named tensor that keeps its value between runs. Its entry is the value at the start of the run, whatever the run
   * assigns.
   *
   * @param initial the value before the first assign; the bytes live as long as the node
   */
  record Variable(TensorView initial) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /**
   * Assigns a new value to a variable. Its inputs are the variable's current value (the variable or an assign to it)
   * and the new value. Its result is the new value.
   */
  record Assign() implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /** Stands for an omitted optional input. */
  record Absent() implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /**
   * One use of an operator.
   *
   * @param operator the operator's name, as in ONNX
   * @param outputs how many results this use has, at least 1
   */
  record Apply(String operator, Attributes attributes, int outputs) implements NodeKind {
    public Apply {
      if (outputs < 1) {
        throw new IllegalArgumentException("a node has results: operator=%s outputs=%d".formatted(operator, outputs));
      }
    }
  }
}
