package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;

/** What a node does. Two uses of an operator that are equal, over the same entries, compute the same thing. */
public sealed interface NodeKind {
  /** How many entries a node of this kind has. */
  int outputs();

  /** The parameters that the kernel of such a node gets. */
  default Attributes attributes() {
    return Attributes.NONE;
  }

  /** A tensor that the caller gives for each run. */
  record Input(DeclaredType type) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /** A tensor that never changes: a weight, a shape, a folded result. The bytes live as long as the node. */
  record Constant(TensorView value) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /** A tensor that never changes and is computed when it is stored: a folded weight. */
  record Deferred(ConstantSource.Computed source) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /**
   * A named tensor whose value outlives a run. Read as an entry, it is the value with which the run began, whatever is
   * assigned meanwhile.
   *
   * @param initial the value before anything is assigned; the bytes live as long as the node
   */
  record Variable(TensorView initial) implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /**
   * Gives a variable another value. Has two inputs: the variable's value so far, which is the variable or an assign to
   * it, and the new value, which is also the result.
   */
  record Assign() implements NodeKind {
    @Override
    public int outputs() {
      return 1;
    }
  }

  /** Stands where an operator's optional input is left out. */
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
   * @param outputs how many of the operator's results this use has; at least 1
   */
  record Apply(String operator, Attributes attributes, int outputs) implements NodeKind {
    public Apply {
      if (outputs < 1) {
        throw new IllegalArgumentException("a node has results: operator=%s outputs=%d".formatted(operator, outputs));
      }
    }
  }
}
