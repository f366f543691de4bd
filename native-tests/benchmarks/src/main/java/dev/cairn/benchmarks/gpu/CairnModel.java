package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cairn through its session, as a user has it. */
final class CairnModel implements ModelSide {
  /** Launched, recorded, repeated. */
  private static final int WARMUP_RUNS = 3;

  private final Session session;
  private final Map<String, Tensor> inputs;

  private CairnModel(Session session, Map<String, Tensor> inputs) {
    this.session = session;
    this.inputs = inputs;
  }

  static CairnModel open(ModelCase which, DeviceOptions device) {
    Graph graph = which.graph();
    DeviceOptions wanted = device.withRequired(true).withMath(which.math());
    SessionOptions options = SessionOptions.DEFAULT.withDevice(wanted).withCompile(CompileOptions.DEFAULT
      .withPrecision(which.precision()));
    var made = new CairnModel(Session.of(graph, options), inputs(graph));
    for (int run = 0; run < WARMUP_RUNS; run++) {
      made.run();
    }
    return made;
  }

  /** Zeros and ones, which are pixels, words and masks alike. */
  private static Map<String, Tensor> inputs(Graph graph) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    graph.inputs().forEach(node -> {
      if (node.kind() instanceof NodeKind.Input(DeclaredType declared)) {
        inputs.put(node.name(), input(declared.known().orElseThrow()));
      }
    });
    return inputs;
  }

  private static Tensor input(TensorType type) {
    int count = Math.toIntExact(type.shape().elementCount());
    if (type.dtype() == DType.INT64) {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] = i % 2;
      }
      return Tensor.of(values, type.shape().extents());
    }
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i % 2;
    }
    return Tensor.of(values, type.shape().extents());
  }

  private void run() {
    session.run(inputs).close();
  }

  @Override
  public double medianMillis(int runs) {
    List<Long> nanos = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      long began = System.nanoTime();
      run();
      nanos.add(System.nanoTime() - began);
    }
    return Sample.of(nanos).median() / 1e6;
  }

  @Override
  public long peakBytes() {
    return session.memoryStats().all().bytes().peak();
  }

  @Override
  public void close() {
    session.close();
    inputs.values().forEach(Tensor::close);
  }
}
