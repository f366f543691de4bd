package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a kernel for {@code float16} and {@code bfloat16} of one for {@code float32}: operands of a half type are
 * widened into the workspace, the upstream kernel computes there, and half results are rounded once on their way out.
 * Other operands pass through, so that mixed calls work.
 *
 * <pre> workspace, each part 64-byte aligned:
 *   | half inputs, widened | half outputs, wide | the upstream kernel's own workspace | </pre>
 */
public final class HalfStorage implements Kernel {
  private static final long ALIGNMENT = 64;
  private static final long GRAIN = 1 << 14;

  private final Kernel upstream;

  /** @param float32Kernel the kernel that does the work; sees {@code float32} wherever the call has a half type */
  public HalfStorage(Kernel float32Kernel) {
    this.upstream = float32Kernel;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return upstream.accepts(widened(signature));
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return partBytes(signature) + upstream.workspaceBytes(widened(signature));
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    return partBytes(signature) + upstream.workspaceBytesUpTo(widened(signature));
  }

  private static long partBytes(KernelSignature signature) {
    long bytes = 0;
    for (Optional<TensorType> input : signature.inputs()) {
      bytes += input.map(HalfStorage::partBytes).orElse(0L);
    }
    for (TensorType output : signature.outputs()) {
      bytes += partBytes(output);
    }
    return bytes;
  }

  @Override
  public void run(KernelCall call) {
    var stream = CpuStream.of(call);
    var inputs = new @Nullable TensorView[call.inputCount()];
    long used = 0;
    for (int i = 0; i < inputs.length; i++) {
      if (call.has(i)) {
        TensorView input = call.input(i);
        TensorView wide = place(input, call.workspace(), used);
        used += partBytes(input.type());
        if (input.dtype().isHalf()) {
          stream.parallel(input.elementCount(), GRAIN, (first, end) -> HalfNumber
            .widen(input.dtype(), input.segment(), wide.segment(), first, end - first));
        }
        inputs[i] = wide;
      }
    }
    var outputs = new TensorView[call.outputCount()];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = place(call.output(i), call.workspace(), used);
      used += partBytes(call.output(i).type());
    }
    upstream.run(new KernelCall(inputs, outputs, call.attributes(), call.workspace().asSlice(used), stream));
    for (int i = 0; i < outputs.length; i++) {
      TensorView wide = outputs[i];
      TensorView output = call.output(i);
      if (output.dtype().isHalf()) {
        stream.parallel(output.elementCount(), GRAIN, (first, end) -> HalfNumber
          .narrow(output.dtype(), wide.segment(), output.segment(), first, end - first));
      }
    }
  }

  private static TensorView place(TensorView view, MemorySegment workspace, long offset) {
    TensorType wide = widened(view.type());
    return view.dtype().isHalf() ? new TensorView(wide, workspace.asSlice(offset, wide.bytes())) : view;
  }

  private static long partBytes(TensorType type) {
    return type.dtype().isHalf() ? Math.ceilDiv(widened(type).bytes(), ALIGNMENT) * ALIGNMENT : 0;
  }

  private static TensorType widened(TensorType type) {
    return type.dtype().isHalf() ? type.withDType(DType.FLOAT32) : type;
  }

  private static KernelSignature widened(KernelSignature signature) {
    return new KernelSignature(signature.inputs().stream().map(input -> input.map(HalfStorage::widened)).toList(),
      signature.outputs().stream().map(HalfStorage::widened).toList(), signature.attributes());
  }
}
