package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a kernel for some element types of one for others: operands are converted into the workspace, the upstream
 * kernel works there, and results are converted back on their way out. Other operands pass through, so that mixed calls
 * work.
 *
 * <pre> workspace, each part 64-byte aligned:
 *   | inputs, converted | outputs, before their conversion | the upstream kernel's own workspace | </pre>
 */
abstract sealed class ConvertedStorage implements Kernel permits HalfStorage, PackedStorage {
  private static final long ALIGNMENT = 64;
  private static final long GRAIN = 1 << 14;

  private final Kernel upstream;

  ConvertedStorage(Kernel upstream) {
    this.upstream = upstream;
  }

  /** The type that the upstream kernel sees; the same one for an operand that passes through. */
  abstract TensorType converted(TensorType type);

  /** Converts elements {@code [first, end)} of an input. */
  abstract void load(TensorView from, TensorView converted, long first, long end);

  /** Converts elements {@code [first, end)} of a result; no other range has elements in the same bytes. */
  abstract void store(TensorView converted, TensorView to, long first, long end);

  @Override
  public final boolean accepts(KernelSignature signature) {
    return upstream.accepts(converted(signature));
  }

  @Override
  public final long workspaceBytes(KernelSignature signature) {
    return partBytes(signature) + upstream.workspaceBytes(converted(signature));
  }

  @Override
  public final long workspaceBytesUpTo(KernelSignature signature) {
    return partBytes(signature) + upstream.workspaceBytesUpTo(converted(signature));
  }

  private long partBytes(KernelSignature signature) {
    long bytes = 0;
    for (Optional<TensorType> input : signature.inputs()) {
      bytes += input.map(this::partBytes).orElse(0L);
    }
    for (TensorType output : signature.outputs()) {
      bytes += partBytes(output);
    }
    return bytes;
  }

  @Override
  public final void run(KernelCall call) {
    var stream = CpuStream.of(call);
    var inputs = new @Nullable TensorView[call.inputCount()];
    long used = 0;
    for (int i = 0; i < inputs.length; i++) {
      if (call.has(i)) {
        TensorView input = call.input(i);
        TensorView converted = place(input, call.workspace(), used);
        used += partBytes(input.type());
        if (isConverted(input.type())) {
          stream.parallel(input.elementCount(), GRAIN, (first, end) -> load(input, converted, first, end));
        }
        inputs[i] = converted;
      }
    }
    var outputs = new TensorView[call.outputCount()];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = place(call.output(i), call.workspace(), used);
      used += partBytes(call.output(i).type());
    }
    upstream.run(new KernelCall(inputs, outputs, call.attributes(), call.workspace().asSlice(used), stream));
    for (int i = 0; i < outputs.length; i++) {
      store(stream, outputs[i], call.output(i));
    }
  }

  private void store(CpuStream stream, TensorView converted, TensorView output) {
    if (isConverted(output.type())) {
      int unit = output.dtype().perByte();
      long count = output.elementCount();
      stream.parallel(Math.ceilDiv(count, (long) unit), GRAIN / unit, (first, end) -> store(converted, output, first
        * unit, Math.min(count, end * unit)));
    }
  }

  private TensorView place(TensorView view, MemorySegment workspace, long offset) {
    TensorType type = converted(view.type());
    return isConverted(view.type()) ? new TensorView(type, workspace.asSlice(offset, type.bytes())) : view;
  }

  private boolean isConverted(TensorType type) {
    return converted(type).dtype() != type.dtype();
  }

  private long partBytes(TensorType type) {
    return isConverted(type) ? Math.ceilDiv(converted(type).bytes(), ALIGNMENT) * ALIGNMENT : 0;
  }

  private KernelSignature converted(KernelSignature signature) {
    return new KernelSignature(signature.inputs().stream().map(input -> input.map(this::converted)).toList(),
      signature.outputs().stream().map(this::converted).toList(), signature.attributes());
  }
}
