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
import java.util.Comparator;
import java.util.PriorityQueue;
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
  /** Memory of calls that have ended, the largest first, for the next ones. Closing the device frees it. */
  private final PriorityQueue<PinnedMemory> idle = new PriorityQueue<>(Comparator.comparingLong(
    (PinnedMemory it) -> it.segment().byteSize()).reversed());

  HostKernelOnCuda(CudaDevice device, String operator, Kernel kernel) {
    this.device = device;
    this.operator = operator;
    this.kernel = kernel;
  }

  @Override
  public void run(KernelCall call) {
    tell();
    PinnedMemory memory = take(bytes(call));
    try {
      new Staged(call, memory).run();
      call.stream().synchronize();
    } finally {
      giveBack(memory);
    }
  }

  private PinnedMemory take(long bytes) {
    PinnedMemory largest;
    synchronized (idle) {
      largest = idle.poll();
    }
    if (largest != null && largest.segment().byteSize() < bytes) {
      largest.close();
      largest = null;
    }
    return largest == null ? device.allocatePinned(bytes) : largest;
  }

  private void giveBack(PinnedMemory memory) {
    synchronized (idle) {
      idle.add(memory);
    }
  }

  @Override
  public Staged prepare(KernelCall call) {
    tell();
    return new Staged(call, device.allocatePinned(bytes(call)));
  }

  private void tell() {
    if (TOLD.add(operator)) {
      LOG.warn("operands of this operator are copied to the host in each run, since it has no kernel in CUDA C: "
        + "operator={} device={}", operator, device.id());
    }
  }

  /** How much host memory a call needs. */
  private long bytes(KernelCall call) {
    KernelSignature signature = KernelSignature.of(call);
    long bytes = aligned(kernel.workspaceBytes(signature));
    for (int i = 0; i < call.inputCount(); i++) {
      bytes += call.has(i) ? aligned(call.input(i).type().bytes()) : 0;
    }
    for (TensorType type : signature.outputs()) {
      bytes += aligned(type.bytes());
    }
    return Math.max(ALIGNMENT, bytes);
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
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

    private Staged(KernelCall call, PinnedMemory memory) {
      this.call = call;
      this.stream = (CudaStream) call.stream();
      this.memory = memory;
      KernelSignature signature = KernelSignature.of(call);
      this.inputs = new TensorView[call.inputCount()];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = call.has(i) ? view(call.input(i).type()) : null;
      }
      this.outputs = signature.outputs().stream().map(this::view).toArray(TensorView[]::new);
      this.onHost = new KernelCall(inputs, outputs, call.attributes(), slice(kernel.workspaceBytes(signature)), stream);
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
