package dev.cairn.runtime.graph;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Optional;

/** The operation of a node. Equal kinds over the same entries compute the same values. */
public sealed interface NodeKind {
  /** How many entries a node of this kind has. */
  default int outputs() {
    return 1;
  }

  /** The attributes for the node's kernel. */
  default Attributes attributes() {
    return Attributes.NONE;
  }

  /** A tensor that the caller passes to each run. */
  record Input(DeclaredType type) implements NodeKind {}

  /** A constant tensor: a weight, a shape or a folded result. The bytes live as long as the node. */
  record Constant(TensorView value) implements NodeKind {}

  /** A constant tensor that is computed when a session loads it: a folded weight. */
  record Deferred(ConstantSource.Computed source) implements NodeKind {}

  /**
   * A named tensor that keeps its value between runs. Its entry is the value at the start of the run, whatever the run
   * assigns.
   *
   * @param initial the value before the first assign; the bytes live as long as the node
   */
  record Variable(TensorView initial) implements NodeKind {}

  /**
   * Assigns a new value to a variable. Its inputs are the variable's current value (the variable or an assign to it)
   * and the new value. Its result is the new value.
   */
  record Assign() implements NodeKind {}

  /** Stands for an omitted optional input. */
  record Absent() implements NodeKind {}

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

  /**
   * An input of a body: the node around the body passes its value.
   *
   * @param dtype the element type that the model declares, if any; the operands decide
   */
  record Parameter(Optional<DType> dtype) implements NodeKind {}

  /** A node that runs bodies. A body is a graph whose inputs are {@link Parameter parameters}. */
  sealed interface Control extends NodeKind permits Branch, Repeat {
    List<Graph> bodies();

    /** The name of each body in text and in the names of its nodes. */
    List<String> bodyNames();

    /** The first operand that is a captured value: what bodies read from outside. */
    int firstCapture();

    /** The parameter of each body that stands for the first captured value. */
    int firstCapturedParameter();

    Control withBodies(List<Graph> others);
  }

  /**
   * Runs one of two bodies: ONNX's {@code If}. The first operand is the condition, one boolean. The others are captured
   * values, one for each parameter of both bodies.
   */
  record Branch(Graph then, Graph otherwise) implements Control {
    @Override
    public int outputs() {
      return then.outputs().size();
    }

    @Override
    public List<Graph> bodies() {
      return List.of(then, otherwise);
    }

    @Override
    public List<String> bodyNames() {
      return List.of("then", "else");
    }

    @Override
    public int firstCapture() {
      return 1;
    }

    @Override
    public int firstCapturedParameter() {
      return 0;
    }

    @Override
    public Branch withBodies(List<Graph> others) {
      return new Branch(others.get(0), others.get(1));
    }
  }

  /**
   * Runs a body once for each trip: ONNX's {@code Loop} and {@code Scan}. Runs while the trip's number is below the
   * limit, the condition holds, and the scanned operands have a further slice.
   *
   * <pre>
   * operands    limit, condition (both may be absent), carried..., scanned..., captured...
   * parameters  trip, condition, carried..., slices..., captured...
   * results     of the body: condition, carried..., slices...     of the node: carried..., stacked...
   * </pre>
   *
   * @param carried how many values a trip passes to the next
   * @param scanned how a trip takes its slice of each scanned operand
   * @param stacked how the slices of all trips become a result
   */
  record Repeat(Graph body, int carried, List<Slices> scanned, List<Slices> stacked) implements Control {
    public Repeat {
      scanned = List.copyOf(scanned);
      stacked = List.copyOf(stacked);
    }

    /** One slice for each trip, along an axis; negative axes count from the end. */
    public record Slices(long axis, boolean backwards) {}

    @Override
    public int outputs() {
      return carried + stacked.size();
    }

    @Override
    public List<Graph> bodies() {
      return List.of(body);
    }

    @Override
    public List<String> bodyNames() {
      return List.of("body");
    }

    @Override
    public int firstCapture() {
      return 2 + carried + scanned.size();
    }

    @Override
    public int firstCapturedParameter() {
      return firstCapture();
    }

    @Override
    public Repeat withBodies(List<Graph> others) {
      return new Repeat(others.get(0), carried, scanned, stacked);
    }
  }
}
