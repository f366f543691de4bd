package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.dnn.CudnnFailure;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries candidate kernels on one convolution of generated numbers, in scratch memory that closing frees. A candidate is
 * excluded if it fails, if there is no memory for its workspace, or if its results differ from those of the first one.
 */
final class ConvolutionContest implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConvolutionContest.class);

  private final KernelSignature signature;
  private final CudaStream stream;
  private final List<DeviceMemory> held = new ArrayList<>();
  private final @Nullable TensorView[] inputs;
  private final TensorView output;
  private @Nullable ResultSample expected;

  /** @throws dev.cairn.kernels.cuda.CudaFailure if the device has too little memory, or its context is lost */
  ConvolutionContest(CudaDevice device, KernelSignature signature) {
    this.signature = signature;
    this.stream = device.newStream("measurements");
    this.inputs = new TensorView[signature.inputs().size()];
    try {
      for (int i = 0; i < inputs.length; i++) {
        Optional<TensorType> type = signature.inputs().get(i);
        inputs[i] = type.isEmpty() ? null : filled(type.get());
      }
      this.output = new TensorView(signature.output(0), room(signature.output(0).bytes()));
    } catch (RuntimeException | Error e) {
      closeAfter(e);
      throw e;
    }
  }

  private TensorView filled(TensorType type) {
    var operand = new TensorView(type, room(type.bytes()));
    TrialOperands.fill(stream, operand);
    return operand;
  }

  /** Allocates device memory, as a segment that Java code does not read. */
  private MemorySegment room(long bytes) {
    if (bytes == 0) {
      return MemorySegment.NULL;
    }
    DeviceMemory memory = stream.device().allocate(bytes);
    held.add(memory);
    return MemorySegment.ofAddress(memory.address()).reinterpret(bytes);
  }

  /**
   * Runs a candidate, and measures its time if there is a timer.
   *
   * @return milliseconds, 0 without a timer; empty if the candidate is excluded
   */
  OptionalDouble run(Contender contender, Optional<KernelTimer> timer) {
    int before = held.size();
    OptionalDouble millis = OptionalDouble.empty();
    try {
      millis = run(contender, room(contender.kernel().workspaceBytes(signature)), timer);
    } catch (CudnnFailure e) {
      LOG.info("not considered: kernel={} reason={}", contender.name(), e.getMessage());
    } catch (CudaFailure e) {
      if (!e.isOutOfMemory()) {
        throw e;
      }
      LOG.info("not considered for want of device memory: kernel={} reason={}", contender.name(), e.getMessage());
    }
    giveBack(before);
    return millis;
  }

  private OptionalDouble run(Contender contender, MemorySegment workspace, Optional<KernelTimer> timer) {
    Runnable work = contender.kernel().prepare(new KernelCall(inputs, new TensorView[] {output}, signature
      .attributes(), workspace, stream));
    // NaN everywhere, so that elements that the kernel does not write are visible.
    stream.fill(output.segment().address(), (byte) 0xff, output.segment().byteSize());
    work.run();
    if (!isAsExpected(contender)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(timer.isPresent() ? timer.get().millis(stream, work) : 0);
  }

  /** Frees the memory allocated since {@code before}, for the workspace of the next candidate. */
  private void giveBack(int before) {
    if (held.size() > before) {
      stream.synchronize();
      held.removeLast().close();
    }
  }

  private boolean isAsExpected(Contender contender) {
    ResultSample actual = ResultSample.of(stream, output);
    ResultSample wanted = expected;
    if (wanted == null) {
      expected = actual;
      return true;
    }
    long terms = signature.input(1).shape().elementCount(1, signature.input(1).shape().rank());
    Optional<String> difference = wanted.difference(actual, terms);
    difference.ifPresent(it -> LOG.warn("not considered, since its results are wrong: kernel={} convolution={} {}",
      contender.name(), signature, it));
    return difference.isEmpty();
  }

  private void closeAfter(Throwable cause) {
    try {
      close();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Waits for running work, and frees all memory. */
  @Override
  public void close() {
    try (stream) {
      stream.synchronize();
    } finally {
      closeHeld();
    }
  }

  /** Frees all memory, even if one call fails. */
  private void closeHeld() {
    RuntimeException first = null;
    for (DeviceMemory memory : held) {
      try {
        memory.close();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
