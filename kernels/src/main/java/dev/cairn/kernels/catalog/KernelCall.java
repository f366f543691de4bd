package dev.cairn.kernels.catalog;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A call of a kernel: the memory of its inputs, outputs and workspace, and the stream that it runs on. A planned step
 * has one call for all runs. Only a model's inputs and outputs are bound again between runs; a call that is
 * kept for single operators has all of its memory bound again. Not thread-safe: one run
 * at a time uses a call.
 */
public final class KernelCall {
  private final @Nullable TensorView[] inputs;
  private final @Nullable TensorView[] outputs;
  private Attributes attributes;
  private MemorySegment workspace;
  private Stream stream;

  /**
   * Creates a call.
   *
   * @param inputs one view for each input; null for an absent optional input, or for one that is bound later
   * @param outputs one view for each output; null for one that is bound later
   * @param workspace at least as many bytes as the kernel needs, aligned to 64 bytes
   */
  public KernelCall(@Nullable TensorView[] inputs, @Nullable TensorView[] outputs, Attributes attributes,
    MemorySegment workspace, Stream stream) {
    this(attributes, inputs.clone(), outputs.clone(), workspace, stream);
  }

  private KernelCall(Attributes attributes, @Nullable TensorView[] inputs, @Nullable TensorView[] outputs,
    MemorySegment workspace, Stream stream) {
    this.inputs = inputs;
    this.outputs = outputs;
    this.attributes = attributes;
    this.workspace = workspace;
    this.stream = stream;
  }

  /** Like the constructor, but without copies: the call takes over the arrays. */
  public static KernelCall over(@Nullable TensorView[] inputs, @Nullable TensorView[] outputs, Attributes attributes,
    MemorySegment workspace, Stream stream) {
    return new KernelCall(attributes, inputs, outputs, workspace, stream);
  }

  /** A call with the same memory, which is bound by itself from then on. */
  public KernelCall(KernelCall other) {
    this(other.inputs, other.outputs, other.attributes, other.workspace, other.stream);
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

  /** Releases an input, which must be bound again before the next run. */
  public void unbindInput(int index) {
    inputs[index] = null;
  }

  /** Binds an input between runs. */
  public void bindInput(int index, TensorView view) {
    inputs[index] = view;
  }

  /** Releases an output, which must be bound again before the next run. */
  public void unbindOutput(int index) {
    outputs[index] = null;
  }

  /** Binds the workspace between runs; only kernels that are {@linkplain Kernel#isRebindable() rebindable} see it. */
  public void bindWorkspace(MemorySegment memory) {
    workspace = memory;
  }

  /** Becomes a call with other attributes, workspace and stream, over the same arrays of views. */
  public void become(Attributes otherAttributes, MemorySegment otherWorkspace, Stream otherStream) {
    attributes = otherAttributes;
    workspace = otherWorkspace;
    stream = otherStream;
  }

  /** Binds an output between runs. */
  public void bindOutput(int index, TensorView view) {
    outputs[index] = view;
  }
}
