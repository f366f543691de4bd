package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Computation;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes small constants while a graph is compiled, with the kernels of a device whose memory the host can read, and
 * says how large ones are computed later. A small one takes at most {@value #MOST_BYTES} bytes of native memory, which
 * the next one takes again; its result lies in the Java heap.
 */
final class KernelEvaluator implements ValueEvaluator {
  static final long MOST_BYTES = 256 << 10;
  private static final long ALIGNMENT = 64;

  private final OperatorTable operators;
  private final DispatchTable kernels;
  private final Stream stream;
  /** Reused: to close an arena of its own for each constant would take longer than most kernels. */
  private MemorySegment room = MemorySegment.NULL;

  KernelEvaluator(OperatorTable operators, DispatchTable kernels, Stream stream) {
    this.operators = operators;
    this.kernels = kernels;
    this.stream = stream;
  }

  @Override
  public Optional<Computation> computation(Node node, List<Optional<TensorType>> inputs, List<TensorType> outputs) {
    if (!(node.kind() instanceof NodeKind.Apply kind) || !operators.isPure(kind.operator())) {
      return Optional.empty();
    }
    MemoryTraits traits = operators.memory(node);
    if (traits.alias() && outputs.size() == 1) {
      return Optional.of(AliasComputation.INSTANCE);
    }
    var signature = new KernelSignature(inputs, outputs, kind.attributes());
    return kernels.compute(kind.operator(), signature).map(it -> new KernelComputation(node.name(), it, stream));
  }

  @Override
  public Optional<List<TensorView>> evaluate(Node node, List<Optional<TensorView>> inputs, List<TensorType> outputs) {
    List<Optional<TensorType>> types = inputs.stream().map(input -> input.map(TensorView::type)).toList();
    return computation(node, types, outputs).filter(it -> bytes(it, inputs, outputs) <= MOST_BYTES)
      .map(it -> run(it, inputs, outputs));
  }

  private static long bytes(Computation computation, List<Optional<TensorView>> inputs, List<TensorType> outputs) {
    long copied = inputs.stream().flatMap(Optional::stream).filter(view -> !view.segment().isNative())
      .mapToLong(view -> view.type().bytes()).sum();
    return computation.workspaceBytes() + copied + outputs.stream().mapToLong(TensorType::bytes).sum();
  }

  private synchronized List<TensorView> run(Computation computation, List<Optional<TensorView>> inputs,
    List<TensorType> types) {
    long wanted = bytes(computation, inputs, types) + ALIGNMENT * (inputs.size() + types.size() + 1L);
    if (room.byteSize() < wanted) {
      room = Arena.ofAuto().allocate(Math.max(wanted, MOST_BYTES), ALIGNMENT);
    }
    SegmentAllocator slices = SegmentAllocator.slicingAllocator(room);
    SegmentAllocator aligned = (bytes, _) -> slices.allocate(bytes, ALIGNMENT);
    @Nullable
    TensorView[] operands = new TensorView[inputs.size()];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = inputs.get(i).map(view -> NativeView.of(view, aligned)).orElse(null);
    }
    TensorView[] outputs = types.stream().map(type -> new TensorView(type, aligned.allocate(type.bytes())))
      .toArray(TensorView[]::new);
    computation.run(operands, outputs, aligned.allocate(computation.workspaceBytes()));
    List<TensorView> results = new ArrayList<>();
    for (TensorView output : outputs) {
      results.add(HeapTensor.copyOf(output));
    }
    return List.copyOf(results);
  }
}
