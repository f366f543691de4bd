package dev.cairn.runtime.custom;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.PinnedMemory;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kernel in Java for a step on a GPU: its operands are copied to page-locked memory and its results back. A prepared
 * call owns that memory. The host waits for the stream in each run, so such a run cannot be recorded.
 */
final class HostKernelOnCuda implements Kernel {
  private static final Logger LOG = LoggerFactory.getLogger(HostKernelOnCuda.class);
  private static final long ALIGNMENT = 64;
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private final CudaDevice device;
  private final String operator;
  private final Kernel kernel;

  HostKernelOnCuda(CudaDevice device, String operator, Kernel kernel) {
    this.device = device;
    this.operator = operator;
    this.kernel = kernel;
  }

  @Override
  public void run(KernelCall call) {
    try (Staged staged = prepare(call)) {
      staged.run();
      call.stream().synchronize();
    }
  }

  @Override
  public Staged prepare(KernelCall call) {
    if (TOLD.add(operator)) {
      LOG.warn("operands of this operator are copied to the host in each run, since it has no kernel in CUDA C: "
        + "operator={} device={}", operator, device.id());
    }
    return new Staged(call);
  }

  @Override
  public boolean servesSmallerCalls() {
    return kernel.servesSmallerCalls();
  }

  /** One call with its host memory. */
  final class Staged implements Runnable, AutoCloseable {
    private final KernelCall call;
    private final CudaStream stream;
    private final PinnedMemory memory;
    private final @Nullable TensorView[] inputs;
    private final TensorView[] outputs;
    private final KernelCall onHost;
    private long used;

    private Staged(KernelCall call) {
      this.call = call;
      this.stream = (CudaStream) call.stream();
      KernelSignature signature = KernelSignature.of(call);
      long scratch = kernel.workspaceBytes(signature);
      long bytes = aligned(scratch);
      for (int i = 0; i < call.inputCount(); i++) {
        bytes += call.has(i) ? aligned(call.input(i).type().bytes()) : 0;
      }
      for (TensorType type : signature.outputs()) {
        bytes += aligned(type.bytes());
      }
      this.memory = device.allocatePinned(Math.max(ALIGNMENT, bytes));
      this.inputs = new TensorView[call.inputCount()];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = call.has(i) ? view(call.input(i).type()) : null;
      }
      this.outputs = signature.outputs().stream().map(this::view).toArray(TensorView[]::new);
      this.onHost = new KernelCall(inputs, outputs, call.attributes(), slice(scratch), stream);
    }

    private static long aligned(long bytes) {
      return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
    }

    private TensorView view(TensorType type) {
      return new TensorView(type, slice(type.bytes()));
    }

    private MemorySegment slice(long bytes) {
      MemorySegment slice = memory.segment().asSlice(used, bytes);
      used += aligned(bytes);
      return slice;
    }

    @Override
    public void run() {
      for (int i = 0; i < inputs.length; i++) {
        TensorView input = inputs[i];
        if (input != null) {
          stream.copyToHost(input.segment(), call.input(i).segment().address());
        }
      }
      stream.synchronize();
      kernel.run(onHost);
      for (int i = 0; i < outputs.length; i++) {
        stream.copyToDevice(call.output(i).segment().address(), outputs[i].segment());
      }
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}
