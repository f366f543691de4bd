package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.ValueEvaluator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes constants while a graph is compiled, with the kernels of a device whose memory the host can read. Results
 * live as long as anything refers to them.
 */
final class KernelEvaluator implements ValueEvaluator {
  private static final long ALIGNMENT = 64;

  private final KernelCatalog catalog;
  private final Stream stream;

  KernelEvaluator(KernelCatalog catalog, Stream stream) {
    this.catalog = catalog;
    this.stream = stream;
  }

  @Override
  public Optional<List<TensorView>> evaluate(Node node, List<Optional<TensorView>> inputs, List<TensorType> outputs) {
    if (!(node.kind() instanceof NodeKind.Apply kind)) {
      return Optional.empty();
    }
    List<Optional<TensorType>> types = inputs.stream().map(input -> input.map(TensorView::type)).toList();
    var signature = new KernelSignature(types, outputs, kind.attributes());
    try {
      return catalog.find(kind.operator(), signature).map(row -> run(row, signature, inputs));
    } catch (OutOfMemoryError e) {
      // Too large for the process: as a step of the plan it meets the session's limit.
      return Optional.empty();
    }
  }

  private List<TensorView> run(KernelRow row, KernelSignature signature, List<Optional<TensorView>> inputs) {
    List<TensorView> results = new ArrayList<>();
    for (TensorType type : signature.outputs()) {
      results.add(new TensorView(type, Arena.ofAuto().allocate(type.bytes(), ALIGNMENT)));
    }
    // Shared: the kernel may run on the device's own threads as well.
    try (Arena scratch = Arena.ofShared()) {
      @Nullable
      TensorView[] operands = new TensorView[inputs.size()];
      for (int i = 0; i < operands.length; i++) {
        operands[i] = inputs.get(i).map(view -> inNativeMemory(view, scratch)).orElse(null);
      }
      MemorySegment workspace = scratch.allocate(row.kernel().workspaceBytes(signature), ALIGNMENT);
      row.kernel().run(new KernelCall(operands, results.toArray(TensorView[]::new), signature.attributes(), workspace,
        stream));
      stream.synchronize();
    }
    return List.copyOf(results);
  }

  /** Kernels are compiled for one kind of segment: a small copy here keeps their loops fast for good. */
  private static TensorView inNativeMemory(TensorView view, Arena scratch) {
    if (view.segment().isNative() && !view.segment().isMapped()) {
      return view;
    }
    MemorySegment copy = scratch.allocate(view.type().bytes(), ALIGNMENT);
    return new TensorView(view.type(), copy.copyFrom(view.segment()));
  }
}
