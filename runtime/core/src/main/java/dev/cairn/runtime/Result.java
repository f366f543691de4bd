package dev.cairn.runtime;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The outputs of one run, by name. Owns its tensors: closing the result closes them all, and they are not to be closed
 * one by one. A result may outlive the runs after it, and its session.
 */
public final class Result implements AutoCloseable {
  private final Map<String, Tensor> outputs;
  private final Ownership ownership;

  /** @param outputs idle tensors that nobody else will close */
  Result(Map<String, Tensor> outputs) {
    var owned = new LinkedHashMap<>(outputs);
    this.outputs = Collections.unmodifiableMap(owned);
    this.ownership = new Ownership(this, "result with outputs " + owned.keySet(),
      () -> Tensor.closeAll(owned.values()));
  }

  /** Names of the outputs, in the model's order. */
  public Set<String> names() {
    return outputs.keySet();
  }

  /**
   * One output; it lives until the result is closed, and keeps the result from being forgotten.
   *
   * @throws IllegalArgumentException when there is no output of this name
   * @throws IllegalStateException when closed
   */
  public Tensor get(String name) {
    ownership.requireOpen();
    Tensor tensor = outputs.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no such output: name=%s outputs=%s".formatted(name, outputs.keySet()));
    }
    return tensor.ownedBy(this);
  }

  /** @throws IllegalStateException when closed before, or while a run reads one of the outputs; all stay open then */
  @Override
  public void close() {
    ownership.close();
  }
}
