package dev.cairn.runtime.pass.gradient;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import java.util.Map;

/** Finds the types of a body's entries. */
@FunctionalInterface
public interface BodyInference {
  /** @param parameters the types of the body's parameters, by name */
  GraphTypes infer(Graph body, Map<String, TensorType> parameters);
}
