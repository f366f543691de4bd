package dev.cairn.benchmarks.models;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Map;

/** One engine with one model open. Closing lets go of the model. */
public interface EngineUnderTest extends AutoCloseable {
  /** The inputs that the model declares, by name. */
  Map<String, TensorType> inputs() throws OrtException;

  /** Binds the inputs of all further runs. Their memory must be native, and live as long as this. */
  void bind(Map<String, TensorView> inputs) throws OrtException;

  /** Runs once, as a user would: when this returns, the results have been in native memory, and are given back. */
  void run() throws OrtException;

  /** Runs once more, and looks at the results. */
  OutputDigest digest() throws OrtException;

  @Override
  void close() throws OrtException;
}
