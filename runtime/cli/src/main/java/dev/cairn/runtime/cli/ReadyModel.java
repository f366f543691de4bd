package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.cli.option.BytesOrPart;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.NamedFile;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.OptionalInputs;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A model that was read, planned where it can be, and given inputs. Owns its session and its inputs.
 *
 * @param graph as it was read
 */
record ReadyModel(String title, Graph graph, Session session, RunInputs inputs, RunOpening.Phases phases)
  implements
    AutoCloseable {
  /**
   * Plans a model and generates its inputs.
   *
   * @param read the model as it was read
   * @param files with values of inputs; the others are generated
   * @param options for these shapes
   * @param part limits the memory to a part of the plan without a limit, where it is given
   */
  static ReadyModel open(ReadModel read, List<NamedFile> files, Function<Map<String, Shape>, SessionOptions> options,
    Optional<BytesOrPart> part, Progress progress) throws IOException {
    ModelOption model = read.option();
    Map<String, TensorView> values = NamedFile.read(files, OptionalInputs.given(read.graph(), OptionalInputs.names(read
      .graph())));
    Graph graph = OptionalInputs.given(read.graph(), values.keySet());
    var inputs = new RunInputs(values);
    try {
      Map<String, TensorType> types = InputTypes.of(graph, inputs.shapes(model.shapes()));
      inputs.generate(types, model.seed());
      InputBinding.ofTypes(graph, inputs.types());
      Map<String, Shape> bound = new TreeMap<>();
      types.forEach((name, type) -> bound.put(name, type.shape()));
      long opening = System.nanoTime();
      Session session = progress.during("planning", () -> planned(graph, part.isPresent()
        ? limited(options.apply(bound), part.get(), graph, types, inputs.values())
        : options.apply(bound), inputs));
      var phases = new RunOpening.Phases(read.nanos(), System.nanoTime() - opening);
      return new ReadyModel(read.title(), graph, session, inputs, phases);
    } catch (RuntimeException | Error e) {
      inputs.close();
      throw e;
    }
  }

  /**
   * With the limit that a part of the plan without a limit makes.
   *
   * @param values of the run's inputs, which may decide shapes
   */
  private static SessionOptions limited(SessionOptions options, BytesOrPart part, Graph graph,
    Map<String, TensorType> types, Map<String, TensorView> values) {
    try (ModelCompiler compiler = ModelCompiler.open(options.withDevice(options.device().withLimitedMemory()),
      values)) {
      return options.withMemoryLimitBytes(part.limit(ModelPlanning.withoutLimit(graph, types, options.compile(),
        compiler)));
    } catch (ValueDependentShape e) {
      throw ModelPlanning.withoutPlan(e);
    }
  }

  /** A session that has its plan. Where values decide shapes, a first run makes it. */
  private static Session planned(Graph graph, SessionOptions options, RunInputs inputs) {
    Session session = Session.of(graph, options);
    try {
      if (session.compiled().isEmpty() && session.unplannedReason().isEmpty()) {
        session.run(inputs.tensors()).close();
      }
      return session;
    } catch (RuntimeException | Error e) {
      session.close();
      throw e;
    }
  }

  Map<String, Tensor> tensors() {
    return inputs.tensors();
  }

  /** Runs once and lets go of the outputs. */
  void run() {
    session.run(inputs.tensors()).close();
  }

  @Override
  public void close() {
    try (inputs) {
      session.close();
    }
  }
}
