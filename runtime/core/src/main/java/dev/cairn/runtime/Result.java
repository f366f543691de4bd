package dev.cairn.runtime;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The outputs of one run, by name. A result owns its tensors: close the result, not each tensor. A result may outlive
 * later runs and its session.
 */
public final class Result implements AutoCloseable {
  private final Map<String, Tensor> outputs;
  private final Ownership ownership;

  /** @param outputs idle tensors; the result becomes their only owner */
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
   * Returns one output. It stays valid until the result is closed, and keeps the result reachable.
   *
   * @throws IllegalArgumentException when no output has this name
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

  /** @throws IllegalStateException when already closed, or while a run reads one of the outputs; then all stay open */
  @Override
  public void close() {
    ownership.close();
  }
}
