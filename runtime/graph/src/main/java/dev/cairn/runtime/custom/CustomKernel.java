package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorView;
import org.jspecify.annotations.Nullable;

/** The kernel of a user's operator on the processor: inputs are read-only, and what it throws names the operator. */
final class CustomKernel implements Kernel {
  private final KernelOperator operator;
  private final Kernel kernel;

  CustomKernel(KernelOperator operator, Kernel kernel) {
    this.operator = operator;
    this.kernel = kernel;
  }

  @Override
  @SuppressWarnings("CatchingUnchecked") // kernels in other JVM languages may throw any exception
  public void run(KernelCall call) {
    @Nullable
    TensorView[] inputs = new TensorView[call.inputCount()];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = call.has(i) ? new TensorView(call.input(i).type(), call.input(i).segment().asReadOnly()) : null;
    }
    TensorView[] outputs = new TensorView[call.outputCount()];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = call.output(i);
    }
    try {
      kernel.run(new KernelCall(inputs, outputs, call.attributes(), call.workspace(), call.stream()));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private CustomOperatorFailed failed(Throwable cause) {
    return new CustomOperatorFailed(operator.name(), cause);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    try {
      long bytes = operator.scratchBytes().map(rule -> rule.applyAsLong(signature)).orElse(0L);
      if (bytes < 0) {
        throw new IllegalArgumentException("scratch memory of less than nothing: bytes=" + bytes);
      }
      return bytes;
    } catch (RuntimeException | Error e) {
      throw failed(e);
    }
  }

  @Override
  public boolean servesSmallerCalls() {
    return operator.scratchBytes().isEmpty();
  }
}
