package dev.cairn.runtime.executor;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.SequenceForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of an operator on sequences, optionals or maps. A tensor that enters a container shares its memory with it,
 * or is copied if its memory belongs to another owner.
 */
final class ContainerStep {
  private final DynamicRun run;
  private final Node node;

  ContainerStep(DynamicRun run, Node node) {
    this.run = run;
    this.node = node;
  }

  /** The kind of a value, for messages: {@code sequence of float32}. */
  static String kind(RunValue value) {
    return switch (value) {
      case RunValue.OfTensor tensor -> tensor.view().dtype().toString();
      case RunValue.OfSequence sequence -> "sequence of " + sequence.dtype();
      case RunValue.OfOptional _ -> "optional";
      case RunValue.OfMap map -> "%smap from %s to %s".formatted(map.isSequence() ? "sequence of " : "", map.keys()
        .view().dtype(), map.values().view().dtype());
    };
  }

  /** Says what did the work. */
  String run() {
    run.hold(node.entry(), switch (node.operator()) {
      case "CastMap" -> new MapStep(run, node).cast();
      case "ConcatFromSequence" -> concatenated();
      case "DictVectorizer" -> new MapStep(run, node).vector();
      case "Optional" -> new RunValue.OfOptional(has(0) ? entering(run.value(node.inputs().get(0))) : null);
      case "OptionalGetElement" -> element();
      case "OptionalHasElement" -> whether(has(0) && isThere(run.value(node.inputs().get(0))));
      case "SequenceAt" -> at();
      case "SequenceConstruct" -> constructed();
      case "SequenceEmpty" -> new RunValue.OfSequence(emptyType(), List.of());
      case "SequenceErase" -> erased();
      case "SequenceInsert" -> inserted();
      case "SequenceLength" -> number(sequence(0).elements().size());
      case "SplitToSequence" -> split();
      case "ZipMap" -> new MapStep(run, node).zipped();
      default -> throw new AssertionError("no operator on containers: operator=" + node.operator());
    });
    return "container";
  }

  private boolean has(int input) {
    return input < node.inputs().size() && !node.inputs().get(input).isAbsent();
  }

  private static boolean isThere(RunValue value) {
    return !(value instanceof RunValue.OfOptional optional) || optional.value() != null;
  }

  private InvalidGraph fault(String message) {
    return new InvalidGraph(node.name(), "%s: %s".formatted(node.operator(), message));
  }

  /** A value that a container holds from now on. */
  private RunValue entering(RunValue value) {
    if (value instanceof RunValue.OfTensor tensor && tensor.block() == null) {
      return run.calls().copy(node, tensor.view());
    }
    value.retain();
    return value;
  }

  private static RunValue held(RunValue value) {
    value.retain();
    return value;
  }

  /** The sequence that the node reads; the element of an optional that has one. */
  private RunValue.OfSequence sequence(int input) {
    RunValue value = run.value(node.inputs().get(input));
    if (value instanceof RunValue.OfOptional optional && optional.value() != null) {
      value = optional.value();
    }
    if (value instanceof RunValue.OfSequence sequence) {
      return sequence;
    }
    throw fault("a sequence is needed: input=%d given=%s".formatted(input, kind(value)));
  }

  private RunValue element() {
    NodeEntry input = node.inputs().get(0);
    RunValue value = run.value(input);
    if (!(value instanceof RunValue.OfOptional optional)) {
      return held(value);
    }
    RunValue element = optional.value();
    if (element == null) {
      throw fault("the optional is empty: input=" + input.node().name());
    }
    return held(element);
  }

  private RunValue whether(boolean isThere) {
    return run.calls().copy(node, new TensorView(TensorType.of(DType.BOOL),
      MemorySegment.ofArray(new byte[] {(byte) (isThere ? 1 : 0)})));
  }

  private RunValue number(long value) {
    return run.calls().copy(node, TensorView.ofLong(value));
  }

  private DType emptyType() {
    String name = SequenceForm.of(node.kind().attributes()).dtype();
    return Arrays.stream(DType.values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(() -> fault(
      "no such element type: dtype=\"%s\"".formatted(name)));
  }

  private RunValue at() {
    RunValue given = run.value(node.inputs().get(0));
    if (given instanceof RunValue.OfTensor && SequenceForm.of(node.kind().attributes()).admitsTensor()) {
      return held(given);
    }
    RunValue.OfSequence sequence = sequence(0);
    return held(sequence.elements().get(position(1, sequence.elements().size(), sequence.elements().size() - 1)));
  }

  /**
   * A position in a sequence.
   *
   * @param size how many elements there are, which a negative position is counted from
   * @param last the last position that is allowed
   */
  private int position(int input, int size, int last) {
    TensorView view = run.view(node, input);
    if ((view.dtype() != DType.INT64 && view.dtype() != DType.INT32) || view.elementCount() != 1) {
      throw fault("a position must be one int32 or int64: input=%d given=%s".formatted(input, view.type()));
    }
    long given = view.longAt(0);
    if (given < -size || given > last) {
      throw fault("a position is outside the sequence: position=%d elements=%d".formatted(given, size));
    }
    return (int) (given < 0 ? given + size : given);
  }

  private RunValue constructed() {
    DType dtype = run.view(node, 0).dtype();
    List<RunValue.OfTensor> elements = new ArrayList<>();
    try {
      for (int i = 0; i < node.inputs().size(); i++) {
        requireType(dtype, run.view(node, i).dtype(), i);
        elements.add((RunValue.OfTensor) entering(run.tensor(node, i)));
      }
      return new RunValue.OfSequence(dtype, elements);
    } catch (RuntimeException | Error e) {
      elements.forEach(RunValue::release);
      throw e;
    }
  }

  private void requireType(DType wanted, DType given, int input) {
    if (wanted != given) {
      throw fault("elements of one sequence have one element type: sequence=%s input%d=%s".formatted(wanted, input,
        given));
    }
  }

  private RunValue inserted() {
    RunValue.OfSequence sequence = sequence(0);
    List<RunValue.OfTensor> elements = new ArrayList<>(sequence.elements());
    requireType(sequence.dtype(), run.view(node, 1).dtype(), 1);
    int size = elements.size();
    int position = has(2) ? position(2, size, size) : size;
    var added = (RunValue.OfTensor) entering(run.tensor(node, 1));
    sequence.retain();
    elements.add(position, added);
    return new RunValue.OfSequence(sequence.dtype(), elements);
  }

  private RunValue erased() {
    RunValue.OfSequence sequence = sequence(0);
    List<RunValue.OfTensor> elements = new ArrayList<>(sequence.elements());
    int size = elements.size();
    if (size == 0) {
      throw fault("the sequence is empty");
    }
    elements.remove(has(1) ? position(1, size, size - 1) : size - 1);
    return held(new RunValue.OfSequence(sequence.dtype(), elements));
  }

  private RunValue concatenated() {
    RunValue.OfSequence sequence = sequence(0);
    boolean isStacked = SequenceForm.of(node.kind().attributes()).addsAxis();
    if (sequence.elements().isEmpty()) {
      throw fault("the sequence is empty");
    }
    if (!SequenceForm.of(node.kind().attributes()).isAxisGiven()) {
      throw fault("the axis is missing: attribute=axis");
    }
    int rank = sequence.elements().getFirst().view().shape().rank() + (isStacked ? 1 : 0);
    int axis = axis(SequenceForm.of(node.kind().attributes()).axis(), rank);
    TensorView[] parts = sequence.elements().stream().map(it -> isStacked
      ? it.view().reshaped(withAxis(it.view()
        .shape(), axis))
      : it.view()).toArray(TensorView[]::new);
    return run.calls().results(node, Operators.CONCAT, Attributes.NONE.with("axis", axis), 1, parts).getFirst();
  }

  private int axis(long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw fault("no such axis: axis=%d rank=%d".formatted(axis, rank));
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  private static Shape withAxis(Shape shape, int axis) {
    long[] extents = new long[shape.rank() + 1];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = i == axis ? 1 : shape.extent(i < axis ? i : i - 1);
    }
    return Shape.of(extents);
  }

  private RunValue split() {
    TensorView x = run.view(node, 0);
    int axis = axis(SequenceForm.of(node.kind().attributes()).axis(), x.shape().rank());
    long extent = x.shape().extent(axis);
    long[] parts = parts(extent);
    if (parts.length == 0) {
      return new RunValue.OfSequence(x.dtype(), List.of());
    }
    List<RunValue.OfTensor> pieces = run.calls().results(node, Operators.SPLIT, Attributes.NONE.with("axis", axis),
      parts.length, x, TensorView.ofLongs(parts));
    boolean keeps = has(1) || SequenceForm.of(node.kind().attributes()).keepsAxis();
    return new RunValue.OfSequence(x.dtype(), keeps
      ? pieces
      : pieces.stream().map(it -> new RunValue.OfTensor(it.view()
        .reshaped(withoutAxis(it.view().shape(), axis)), it.block())).toList());
  }

  private static Shape withoutAxis(Shape shape, int axis) {
    long[] extents = new long[shape.rank() - 1];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = shape.extent(i < axis ? i : i + 1);
    }
    return Shape.of(extents);
  }

  /** Without a split: single slices. With one number: pieces of this length. Otherwise: one piece for each number. */
  private long[] parts(long extent) {
    @Nullable
    TensorView split = has(1) ? run.view(node, 1) : null;
    if (split != null && split.dtype() != DType.INT64 && split.dtype() != DType.INT32) {
      throw fault("lengths must be int32 or int64: input=1 given=" + split.type());
    }
    if (split != null && split.shape().rank() > 0) {
      return split.toLongArray();
    }
    long length = split == null ? 1 : split.longAt(0);
    if (length < 1) {
      throw fault("a length must be at least 1: split=%d".formatted(length));
    }
    long[] parts = new long[Math.toIntExact(Math.ceilDiv(extent, length))];
    Arrays.fill(parts, length);
    if (parts.length > 0) {
      parts[parts.length - 1] = extent - length * (parts.length - 1);
    }
    return parts;
  }
}
