package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The source of a constant's bytes. Equal sources give equal bytes, so a session stores a weight once for all compiled
 * graphs that read it. Immutable.
 */
public sealed interface ConstantSource {
  TensorType type();

  /** The number of sources in this expression, including this one; a source counts each time it is read. */
  default int size() {
    return 1;
  }

  /** Existing bytes: a weight of the model, or a small result. */
  record Given(TensorView value) implements ConstantSource {
    /** Sources up to this size are compared by content, larger ones by address. */
    public static final long COMPARED_BYTES = 64 << 10;

    @Override
    public TensorType type() {
      return value.type();
    }

    private boolean isCompared() {
      return value.type().bytes() <= COMPARED_BYTES;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Given(TensorView that) && value.type().equals(that.type())
        && (isCompared() ? value.segment().mismatch(that.segment()) < 0 : value.segment().equals(that.segment()));
    }

    @Override
    public int hashCode() {
      int bytes = isCompared()
        ? Arrays.hashCode(value.segment().toArray(ValueLayout.JAVA_BYTE))
        : value.segment().hashCode();
      return 31 * value.type().hashCode() + bytes;
    }
  }

  /** Bytes that are computed from other sources on each use. */
  final class Computed implements ConstantSource {
    private final Computation computation;
    private final List<Optional<ConstantSource>> inputs;
    private final List<TensorType> outputs;
    private final int output;
    private final int size;
    private final int hash;

    /**
     * @param inputs one for each input of the computation; empty for an omitted optional input
     * @param outputs the types of all outputs of the computation
     * @param output the index of the output that this source stands for
     */
    public Computed(Computation computation, List<Optional<ConstantSource>> inputs, List<TensorType> outputs,
      int output) {
      this.computation = computation;
      this.inputs = List.copyOf(inputs);
      this.outputs = List.copyOf(outputs);
      this.output = output;
      this.size = sizeOver(inputs);
      this.hash = Objects.hash(computation, inputs, outputs, output);
    }

    /** The {@link #size} of a computation over these inputs. */
    public static int sizeOver(List<Optional<ConstantSource>> inputs) {
      return 1 + inputs.stream().flatMap(Optional::stream).mapToInt(ConstantSource::size).sum();
    }

    @Override
    public TensorType type() {
      return outputs.get(output);
    }

    @Override
    public int size() {
      return size;
    }

    public Computation computation() {
      return computation;
    }

    public List<Optional<ConstantSource>> inputs() {
      return inputs;
    }

    public List<TensorType> outputs() {
      return outputs;
    }

    /** The index of the output that this source stands for. */
    public int output() {
      return output;
    }

    @Override
    public boolean equals(Object other) {
      return this == other || (other instanceof Computed that && hash == that.hash && output == that.output
        && computation.equals(that.computation) && outputs.equals(that.outputs) && inputs.equals(that.inputs));
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public String toString() {
      return "computed " + type();
    }
  }
}
