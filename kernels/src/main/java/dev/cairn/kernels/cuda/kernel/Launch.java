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
 * One prepared launch. Running it adds it to its call's stream. Each run reads the addresses of inputs from the call,
 * because they may change between runs; everything else is fixed. Creates no garbage. Not thread-safe, like the call.
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

  /** Starts to build a launch for a call. Add its arguments in the order of the kernel's parameters. */
  public static Builder of(KernelCall call, CudaFunction function) {
    return new Builder(call, function);
  }

  /** @throws IllegalArgumentException if the call's stream does not belong to CUDA */
  public static CudaStream streamOf(KernelCall call) {
    if (call.stream() instanceof CudaStream stream) {
      return stream;
    }
    throw new IllegalArgumentException("not a stream of CUDA: stream=" + call.stream());
  }

  /** Combines launches into one action that runs them in order. */
  public static Runnable inOrder(List<? extends Runnable> launches) {
    List<Runnable> all = List.copyOf(launches);
    return all.size() == 1 ? all.getFirst() : new Sequence(all);
  }

  private record Sequence(List<Runnable> launches) implements Runnable {
    @Override
    public void run() {
      for (Runnable launch : launches) {
        launch.run();
      }
    }
  }

  /** Lets later launches of the same functions use this work's blocks of arguments. It must not run again. */
  static void giveBack(Runnable work) {
    switch (work) {
      case Launch launch -> launch.function.giveBack(launch.arguments);
      case Sequence(List<Runnable> launches) -> {
        for (Runnable launch : launches) {
          giveBack(launch);
        }
      }
      default -> {
        // Work of a library has no block.
      }
    }
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

    /** Adds the address of an input; 0 for an absent one. */
    public Builder input(int index) {
      if (call.has(index)) {
        slots.add(values.size());
        inputs.add(index);
      }
      values.add(0L);
      return this;
    }

    /** Adds the address of an output. */
    public Builder output(int index) {
      return address(call.output(index));
    }

    /** Adds the address of a tensor that does not change between runs. */
    public Builder address(TensorView view) {
      return value(view.segment().address());
    }

    /** Adds an address in the call's workspace. */
    public Builder workspace(long offset) {
      return value(call.workspace().address() + offset);
    }

    /** Adds a {@code long long}, or an address. */
    public Builder value(long value) {
      values.add(value);
      return this;
    }

    /** Adds an {@code int}. */
    public Builder value(int value) {
      values.add(value);
      return this;
    }

    /** Adds a {@code float}. */
    public Builder value(float value) {
      values.add(value);
      return this;
    }

    /** Adds a {@code double}. */
    public Builder value(double value) {
      values.add(value);
      return this;
    }

    /** Adds a structure, given as its bytes in memory. */
    public Builder structure(byte[] bytes) {
      values.add(bytes);
      return this;
    }

    /** Builds the launch with this shape. */
    public Launch with(LaunchShape shape) {
      int[] sizes = new int[values.size()];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = values.get(i) instanceof byte[] bytes ? bytes.length : Long.BYTES;
      }
      ArgumentBlock arguments = function.takeBlock(sizes);
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

    /** Builds the launch of a kernel whose threads loop over {@code count} elements with the grid's stride. */
    public Launch overElements(long count) {
      return with(Grids.ofElements(count));
    }
  }
}
