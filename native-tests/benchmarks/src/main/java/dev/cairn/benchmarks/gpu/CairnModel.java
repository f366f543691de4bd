package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.ValueLayout;
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
    Session session = Session.of(graph, options);
    var made = new CairnModel(session, inputs(graph, session));
    for (int run = 0; run < WARMUP_RUNS; run++) {
      made.run();
    }
    return made;
  }

  /** Zeros and ones, which are pixels, words and masks alike, in page-locked memory as PyTorch's. */
  private static Map<String, Tensor> inputs(Graph graph, Session session) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    graph.inputs().forEach(node -> {
      if (node.kind() instanceof NodeKind.Input(DeclaredType declared)) {
        inputs.put(node.name(), input(declared.known().orElseThrow(), session));
      }
    });
    return inputs;
  }

  private static Tensor input(TensorType type, Session session) {
    Tensor input = session.newInput(type.dtype(), type.shape().extents());
    for (long i = 0; i < type.shape().elementCount(); i++) {
      if (type.dtype() == DType.INT64) {
        input.segment().setAtIndex(ValueLayout.JAVA_LONG, i, i % 2);
      } else {
        input.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (i % 2));
      }
    }
    return input;
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
