package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the bytes of a constant come from. Equal sources give equal bytes, so that a session stores a weight once for
 * all graphs that read it, although each was compiled by itself. Immutable.
 */
public sealed interface ConstantSource {
  TensorType type();

  /** How many sources this one is made from, itself included; each counts as often as it is read. */
  int size();

  /** Bytes that are there: a weight of the model, or a small result. */
  record Given(TensorView value) implements ConstantSource {
    /** Up to here the bytes themselves are compared, and beyond it their place. */
    public static final long COMPARED_BYTES = 64 << 10;

    @Override
    public TensorType type() {
      return value.type();
    }

    @Override
    public int size() {
      return 1;
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

  /** Bytes that are computed, each time that they are wanted, from those of other sources. */
  final class Computed implements ConstantSource {
    private final Computation computation;
    private final List<Optional<ConstantSource>> inputs;
    private final List<TensorType> outputs;
    private final int output;
    private final int size;
    private final int hash;

    /**
     * @param inputs one for each input of the computation; empty for an optional input that is left out
     * @param outputs the types of all that the computation makes
     * @param output which of these this source is
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

    /** The {@link #size} of what is computed from these. */
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

    /** Which of the outputs this source is. */
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
