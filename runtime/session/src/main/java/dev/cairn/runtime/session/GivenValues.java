package dev.cairn.runtime.session;

import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.executor.RunValue;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.value.OptionalValue;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMap;
import dev.cairn.runtime.value.TensorMemory;
import dev.cairn.runtime.value.TensorSequence;
import dev.cairn.runtime.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The inputs of one run in the graph's order. Their tensors cannot be closed until {@link #endUse}. */
final class GivenValues {
  private final DeviceId reader;
  private final List<TensorMemory> used = new ArrayList<>();

  /** @param reader the device that reads the inputs */
  GivenValues(DeviceId reader) {
    this.reader = reader;
  }

  /** @throws IllegalArgumentException when a container is given for a tensor, or another one than is declared */
  static void requireDeclared(Graph graph, Map<String, ? extends Value> inputs) {
    int containers = 0;
    for (Node input : graph.inputs()) {
      Value given = inputs.get(input.name());
      if (input.kind() instanceof NodeKind.Input(DeclaredType type) && !isOf(type, type.container(), given)) {
        throw new IllegalArgumentException((given == null ? "an input is missing" : "an input is of another kind")
          + ": input=%s declared=%s given=%s".formatted(input.name(), type, given));
      }
      containers += given == null || given instanceof Tensor ? 0 : 1;
    }
    for (Value given : inputs.values()) {
      containers -= given instanceof Tensor ? 0 : 1;
    }
    if (containers < 0) {
      throw new IllegalArgumentException("no such input: given=%s inputs=%s".formatted(inputs.keySet(), graph.inputs()
        .stream().map(Node::name).toList()));
    }
  }

  /** Tensors that stand alone are checked with their shapes. */
  private static boolean isOf(DeclaredType type, DeclaredType.Container container, @Nullable Value given) {
    return switch (container) {
      case NONE -> given == null || given instanceof Tensor;
      case SEQUENCE -> given instanceof TensorSequence sequence && sequence.dtype() == type.dtype();
      case OPTIONAL -> given instanceof OptionalValue optional && optional.value().map(it -> it instanceof Tensor tensor
        && tensor.dtype() == type.dtype()).orElse(true);
      case STRING_MAP -> given instanceof TensorMap map && map.keys().dtype() == DType.STRING && map.dtype() == type
        .dtype();
      case INT64_MAP -> given instanceof TensorMap map && map.keys().dtype() == DType.INT64 && map.dtype() == type
        .dtype();
      case OPTIONAL_SEQUENCE -> given instanceof OptionalValue optional && optional.value().map(it -> isOf(type,
        DeclaredType.Container.SEQUENCE, it)).orElse(true);
    };
  }

  /** The tensors, where all inputs are some. */
  List<LocatedView> views(Graph graph, Map<String, ? extends Value> inputs) {
    List<LocatedView> views = new ArrayList<>();
    for (Node input : graph.inputs()) {
      views.add(view((Tensor) Objects.requireNonNull(inputs.get(input.name()), input.name())));
    }
    return views;
  }

  /** Tensors and containers. */
  List<RunValue> values(Graph graph, Map<String, ? extends Value> inputs) {
    List<RunValue> values = new ArrayList<>();
    for (Node input : graph.inputs()) {
      values.add(value(Objects.requireNonNull(inputs.get(input.name()), input.name())));
    }
    return values;
  }

  private RunValue value(Value given) {
    return switch (given) {
      case Tensor tensor -> tensor(tensor);
      case TensorSequence sequence -> new RunValue.OfSequence(sequence.dtype(), sequence.tensors().stream().map(
        this::tensor).toList());
      case OptionalValue optional -> new RunValue.OfOptional(optional.value().map(this::value).orElse(null));
      case TensorMap map -> new RunValue.OfMap(tensor(map.keys()), tensor(map.values()));
      case TensorMap.Sequence maps -> new RunValue.OfMap(tensor(maps.keys()), tensor(maps.values()));
    };
  }

  private RunValue.OfTensor tensor(Tensor tensor) {
    return new RunValue.OfTensor(view(tensor).view(), null);
  }

  private LocatedView view(Tensor tensor) {
    LocatedView view = TensorMemory.of(tensor).beginUse(reader);
    used.add(TensorMemory.of(tensor));
    return view;
  }

  void endUse() {
    used.forEach(TensorMemory::endUse);
  }
}
