package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.TensorType;
import java.util.List;

/**
 * What a step without a plan turned out to be.
 *
 * @param kernel which of the kernels for its operator ran; {@code alias} or {@code value} where none had to
 * @param read types of its operands, without absent ones
 * @param written types of its results
 * @param heldBytes of all that the run held while it ran
 */
public record StepFacts(String kernel, List<TensorType> read, List<TensorType> written, long heldBytes) {
  public StepFacts {
    read = List.copyOf(read);
    written = List.copyOf(written);
  }
}
