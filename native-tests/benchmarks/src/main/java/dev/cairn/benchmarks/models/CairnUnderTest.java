package dev.cairn.benchmarks.models;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cairn through its session, as a user has it. */
public final class CairnUnderTest implements EngineUnderTest {
  private final Session session;
  private final Map<String, Tensor> bound = new LinkedHashMap<>();

  private CairnUnderTest(Session session) {
    this.session = session;
  }

  /** Opens a model. */
  public static CairnUnderTest open(Path model, SessionOptions options) {
    return new CairnUnderTest(Session.open(model, options));
  }

  @Override
  public Map<String, TensorType> inputs() {
    Map<String, TensorType> types = new LinkedHashMap<>();
    session.info().inputs().forEach((name, declared) -> types.put(name, known(name, declared)));
    return types;
  }

  private static TensorType known(String name, DeclaredType declared) {
    return declared.known().orElseThrow(
      () -> new IllegalArgumentException("an input's shape is open: input=%s type=%s".formatted(name, declared)));
  }

  @Override
  public void bind(Map<String, TensorView> inputs) {
    inputs.forEach((name, view) -> bound.put(name, Tensor.wrap(view.segment(), view.dtype(), view.shape().extents())));
  }

  @Override
  public void run() {
    session.run(bound).close();
  }

  @Override
  public OutputDigest digest() {
    try (Result result = session.run(bound)) {
      List<TensorView> outputs = result.names().stream().map(name -> result.get(name).view()).toList();
      return OutputDigest.of(outputs);
    }
  }

  @Override
  public void close() {
    session.close();
    bound.values().forEach(Tensor::close);
  }
}
