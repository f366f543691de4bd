package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes entries node by node with portable kernels: no plan, no fusion, nothing in place. */
public final class HostRun {
  private static final CpuDevice DEVICE = new CpuDevice(1);
  private static final DispatchTable TABLE = new DispatchTable(StandardOperators.table(), StandardKernels.portable(),
    DispatchTable.LIMIT);

  private HostRun() {}

  /** @param inputs by the names of inputs and variables */
  public static List<TensorView> of(List<NodeEntry> wanted, Map<String, TensorView> inputs) {
    Map<NodeEntry, TensorView> values = new HashMap<>();
    for (Node node : DepthFirstOrder.of(wanted.stream().map(NodeEntry::node).toList())) {
      switch (node.kind()) {
        case NodeKind.Constant(TensorView value) -> values.put(node.entry(), value);
        case NodeKind.Input _ -> values.put(node.entry(), inputs.get(node.name()));
        case NodeKind.Variable(TensorView initial) -> values.put(node.entry(), inputs.getOrDefault(node.name(),
          initial));
        case NodeKind.Assign _ -> values.put(node.entry(), values.get(node.operands().getFirst()));
        case NodeKind.Apply kind -> apply(node, kind, values);
        default -> throw new IllegalArgumentException("not for this run: " + node);
      }
    }
    return wanted.stream().map(values::get).toList();
  }

  private static void apply(Node node, NodeKind.Apply kind, Map<NodeEntry, TensorView> values) {
    @Nullable
    TensorView[] operands = new TensorView[node.inputs().size()];
    @Nullable
    TensorType[] types = new TensorType[operands.length];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = values.get(node.inputs().get(i));
      types[i] = operands[i] == null ? null : operands[i].type();
    }
    var use = OperatorUse.of(kind.operator(), kind.attributes(), kind.outputs(), types, operands);
    switch (TABLE.resolve(node.name(), use)) {
      case Dispatch.Alias(TensorType result) -> values.put(node.entry(), operands[0].reshaped(result.shape()));
      case Dispatch.Fixed(TensorView value) -> values.put(node.entry(), value);
      case Dispatch.Compute compute -> {
        TensorView[] results = compute.results().stream().map(HeapTensor::allocate).toArray(TensorView[]::new);
        compute.run(operands, results, scratch(compute.scratchBytes()), DEVICE.defaultStream());
        for (int i = 0; i < results.length; i++) {
          values.put(node.entry(i), results[i]);
        }
      }
    }
  }

  private static MemorySegment scratch(long bytes) {
    return MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(bytes, Long.BYTES))]).asSlice(0, bytes);
  }
}
