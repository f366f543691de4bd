package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;

/**
 * One launch, ready: running it puts it at the end of its call's stream. The addresses of inputs are read from the call
 * each time, for they may be bound anew; all else is fixed. Makes no garbage. For one thread at a time, as the call is.
 */
public final class Launch implements Runnable {
  private final KernelCall call;
  private final CudaFunction function;
  private final LaunchShape shape;
  private final CudaStream stream;
  private final ArgumentBlock arguments;
  private final int[] slots;
  private final int[] inputs;

  private Launch(Builder from, LaunchShape shape, ArgumentBlock arguments) {
    this.call = from.call;
    this.function = from.function;
    this.shape = shape;
    this.stream = streamOf(from.call);
    this.arguments = arguments;
    this.slots = from.slots.stream().mapToInt(Integer::intValue).toArray();
    this.inputs = from.inputs.stream().mapToInt(Integer::intValue).toArray();
  }

  /** A launch of the function for the call; its arguments follow, in the order of the kernel's parameters. */
  public static Builder of(KernelCall call, CudaFunction function) {
    return new Builder(call, function);
  }

  /** @throws IllegalArgumentException when it is no stream of CUDA */
  static CudaStream streamOf(KernelCall call) {
    if (call.stream() instanceof CudaStream stream) {
      return stream;
    }
    throw new IllegalArgumentException("not a stream of CUDA: stream=" + call.stream());
  }

  /** Several launches, in their order. */
  public static Runnable inOrder(List<? extends Runnable> launches) {
    Runnable[] all = launches.toArray(Runnable[]::new);
    return all.length == 1 ? all[0] : () -> {
      for (Runnable launch : all) {
        launch.run();
      }
    };
  }

  @Override
  public void run() {
    for (int i = 0; i < slots.length; i++) {
      arguments.set(slots[i], call.input(inputs[i]).segment().address());
    }
    function.launch(stream, shape, arguments);
  }

  /** Collects the arguments of a launch. */
  public static final class Builder {
    private final KernelCall call;
    private final CudaFunction function;
    private final List<Object> values = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private final List<Integer> inputs = new ArrayList<>();

    private Builder(KernelCall call, CudaFunction function) {
      this.call = call;
      this.function = function;
    }

    /** The address of an input; 0 for one that is left out. */
    public Builder input(int index) {
      if (call.has(index)) {
        slots.add(values.size());
        inputs.add(index);
      }
      values.add(0L);
      return this;
    }

    /** The address of an output. */
    public Builder output(int index) {
      return address(call.output(index));
    }

    /** The address of a tensor that is never bound anew. */
    public Builder address(TensorView view) {
      return value(view.segment().address());
    }

    /** The address of the call's workspace, some bytes on. */
    public Builder workspace(long offset) {
      return value(call.workspace().address() + offset);
    }

    /** A {@code long long}, or an address. */
    public Builder value(long value) {
      values.add(value);
      return this;
    }

    /** An {@code int}. */
    public Builder value(int value) {
      values.add(value);
      return this;
    }

    /** A {@code float}. */
    public Builder value(float value) {
      values.add(value);
      return this;
    }

    /** A {@code double}. */
    public Builder value(double value) {
      values.add(value);
      return this;
    }

    /** A structure, as it lies in memory. */
    public Builder structure(byte[] bytes) {
      values.add(bytes);
      return this;
    }

    /** The launch, with so many threads. */
    public Launch with(LaunchShape shape) {
      int[] sizes = new int[values.size()];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = values.get(i) instanceof byte[] bytes ? bytes.length : Long.BYTES;
      }
      ArgumentBlock arguments = ArgumentBlock.ofSizes(sizes);
      for (int i = 0; i < sizes.length; i++) {
        switch (values.get(i)) {
          case Long value -> arguments.set(i, value);
          case Integer value -> arguments.set(i, value);
          case Float value -> arguments.set(i, value);
          case Double value -> arguments.set(i, value);
          case byte[] value -> arguments.set(i, value);
          default -> throw new AssertionError("no such argument: " + values.get(i));
        }
      }
      return new Launch(this, shape, arguments);
    }

    /** The launch of a kernel in which each thread takes every gridful-th of so many elements. */
    public Launch overElements(long count) {
      return with(Grids.ofElements(count));
    }
  }
}
