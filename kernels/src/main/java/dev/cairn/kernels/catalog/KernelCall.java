package dev.cairn.kernels.catalog;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One use of a kernel: where its inputs, outputs and workspace lie, and the stream it runs on. Made once for a planned
 * step and used for every run; only the places that a caller binds anew (a model's inputs and outputs) change, between
 * runs. Not thread-safe: one run at a time uses a call.
 */
public final class KernelCall {
  private final @Nullable TensorView[] inputs;
  private final @Nullable TensorView[] outputs;
  private final Attributes attributes;
  private final MemorySegment workspace;
  private final Stream stream;

  /**
   * @param inputs one for each input; null for an optional input that is left out, or that is bound later
   * @param outputs one for each output; null for one that is bound later
   * @param workspace at least the bytes that the kernel asked for, 64-byte aligned
   */
  public KernelCall(@Nullable TensorView[] inputs, @Nullable TensorView[] outputs, Attributes attributes,
    MemorySegment workspace, Stream stream) {
    this.inputs = inputs.clone();
    this.outputs = outputs.clone();
    this.attributes = attributes;
    this.workspace = workspace;
    this.stream = stream;
  }

  public int inputCount() {
    return inputs.length;
  }

  public int outputCount() {
    return outputs.length;
  }

  public boolean has(int input) {
    return input < inputs.length && inputs[input] != null;
  }

  public TensorView input(int index) {
    TensorView view = inputs[index];
    if (view == null) {
      throw new IllegalArgumentException("input left out: index=" + index);
    }
    return view;
  }

  public TensorView output(int index) {
    TensorView view = outputs[index];
    if (view == null) {
      throw new IllegalStateException("output not bound: index=" + index);
    }
    return view;
  }

  public Attributes attributes() {
    return attributes;
  }

  public MemorySegment workspace() {
    return workspace;
  }

  public Stream stream() {
    return stream;
  }

  /** Lets go of an input that will be bound anew before the next run. */
  public void unbindInput(int index) {
    inputs[index] = null;
  }

  /** Binds an input anew, between runs. */
  public void bindInput(int index, TensorView view) {
    inputs[index] = view;
  }

  /** Lets go of an output that will be bound anew before the next run. */
  public void unbindOutput(int index) {
    outputs[index] = null;
  }

  /** Binds an output anew, between runs. */
  public void bindOutput(int index, TensorView view) {
    outputs[index] = view;
  }
}
