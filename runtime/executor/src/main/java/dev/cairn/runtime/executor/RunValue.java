package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value of a run without a plan: a tensor, or a container of tensors. A container holds the memory of its elements,
 * and frees what no other value holds when it is released.
 */
public sealed interface RunValue {
  /**
   * A tensor.
   *
   * @param block where it lies; null when it lies in memory that outlives the run, or on the heap
   */
  record OfTensor(TensorView view, @Nullable SharedBlock block) implements RunValue {
    @Override
    public void retain() {
      if (block != null) {
        block.retain();
      }
    }

    @Override
    public void release() {
      if (block != null) {
        block.release();
      }
    }
  }

  /**
   * Tensors of one element type, whose shapes may differ.
   *
   * @param dtype the element type, which an empty sequence has too
   */
  record OfSequence(DType dtype, List<OfTensor> elements) implements RunValue {
    public OfSequence {
      elements = List.copyOf(elements);
    }

    @Override
    public void retain() {
      elements.forEach(OfTensor::retain);
    }

    @Override
    public void release() {
      elements.forEach(OfTensor::release);
    }
  }

  /**
   * A value that may be missing.
   *
   * @param value null when it is
   */
  record OfOptional(@Nullable RunValue value) implements RunValue {
    @Override
    public void retain() {
      if (value != null) {
        value.retain();
      }
    }

    @Override
    public void release() {
      if (value != null) {
        value.release();
      }
    }
  }

  /**
   * A map, or maps with the same keys.
   *
   * @param values one for each key; of several maps a row for each
   */
  record OfMap(OfTensor keys, OfTensor values) implements RunValue {
    /** Whether there are several maps, or may be: a sequence. */
    public boolean isSequence() {
      return values.view().shape().rank() == 2;
    }

    @Override
    public void retain() {
      keys.retain();
      values.retain();
    }

    @Override
    public void release() {
      keys.release();
      values.release();
    }
  }

  /** A tensor that lies in memory of the caller. */
  static RunValue of(TensorView view) {
    return new OfTensor(view, null);
  }

  /** Holds the value's memory once more. */
  void retain();

  /** Gives up one hold on the value's memory. */
  void release();
}
