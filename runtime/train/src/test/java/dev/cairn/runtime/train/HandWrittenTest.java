package dev.cairn.runtime.train;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayTensors;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.loss.Loss;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P-3: a planned iteration equals gradients of their own and updates on arrays, to the bit. */
class HandWrittenTest {
  private static final int ROWS = 8;
  private static final int ITERATIONS = 5;
  private static final Loss LOSS = Losses.l2();
  private static final List<Optimizer> OPTIMIZERS = List.of(Optimizers.adamW().rate(0.01), Optimizers.sgd(0.9)
    .weightDecay(0.01).clip(0.05));
  /** What hand-written code leaves, for each optimizer. */
  private static final Map<Optimizer, Map<String, byte[]>> BY_HAND = new HashMap<>();

  static Stream<SessionOptions> sessions() {
    CompileOptions compile = CompileOptions.DEFAULT;
    return Stream.concat(Stream.of(FusionChoice.values()).map(compile::withFusion), Stream.concat(Stream.of(
      PlannerChoice.values()).filter(it -> !it.searches()).map(compile::withPlanner), Stream.of(compile.withSimplify(
        false))))
      .map(SessionOptions.DEFAULT::withCompile);
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void everyPlanGivesTheBitsOfHandWrittenCode(SessionOptions session) {
    int threads = 1;
    for (Optimizer optimizer : OPTIMIZERS) {
      requireBitsOfHandWrittenCode(session.withThreads(threads++), optimizer);
    }
  }

  @ParameterizedTest
  @MethodSource("sessions")
  @Tag("long")
  void everyPlanGivesTheBitsOfHandWrittenCodeWithAnyNumberOfThreads(SessionOptions session) {
    for (Optimizer optimizer : OPTIMIZERS) {
      for (int threads : new int[] {1, 2}) {
        requireBitsOfHandWrittenCode(session.withThreads(threads), optimizer);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anyNumberOfThreadsGivesTheBitsOfHandWrittenCode(int threads) {
    for (Optimizer optimizer : OPTIMIZERS) {
      requireBitsOfHandWrittenCode(SessionOptions.DEFAULT.withThreads(threads), optimizer);
    }
  }

  private static void requireBitsOfHandWrittenCode(SessionOptions session, Optimizer optimizer) {
    Map<String, byte[]> wanted = BY_HAND.computeIfAbsent(optimizer, HandWrittenTest::byHand);
    try (Trainer trainer = Trainer.of(LinearTask.net(), LOSS, optimizer, TrainerOptions.DEFAULT.withSession(session))) {
      LinearTask.run(trainer, 0, ITERATIONS, ROWS);
      TrainerTest.assertSameBytes(trainer, wanted);
    }
  }

  /** All parameters and states after some iterations. */
  private static Map<String, byte[]> byHand(Optimizer optimizer) {
    TrainableGraph model = new LayerModel(LinearTask.net(), LOSS, 0).training(Map.of("data", LinearTask.dataType(ROWS),
      "labels", LinearTask.labelsType(ROWS)));
    try (Session gradients = Session.of(gradientGraph(model), SessionOptions.DEFAULT);
      ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      var _ = arrays.scope()) {
      Map<String, NDArray> values = new LinkedHashMap<>();
      model.parameters().forEach((name, it) -> {
        values.put(name, arrays.copyOf(it.initial()));
        optimizer.stateNames(name).forEach(state -> values.put(state, arrays.zeros(DType.FLOAT32, it.initial().shape()
          .extents())));
      });
      for (int i = 0; i < ITERATIONS; i++) {
        iterate(gradients, model, optimizer, values, arrays, i);
      }
      Map<String, byte[]> bytes = new HashMap<>();
      values.forEach((name, value) -> {
        try (Tensor tensor = ArrayTensors.tensor(value)) {
          bytes.put(name, tensor.toByteArray());
        }
      });
      return bytes;
    }
  }

  private static void iterate(Session gradients, TrainableGraph model, Optimizer optimizer, Map<String, NDArray> values,
    ArrayRuntime arrays, int i) {
    Map<String, Tensor> inputs = new HashMap<>();
    inputs.put("data", LinearTask.data(i, ROWS));
    inputs.put("labels", LinearTask.labels(i, ROWS));
    model.parameters().keySet()
      .forEach(name -> inputs.put(name, ArrayTensors.tensor(Objects.requireNonNull(values.get(name)))));
    Map<String, NDArray> factors = new HashMap<>();
    optimizer.factors(i + 1).forEach((name, value) -> factors.put(name, arrays.of(new float[] {value.floatValue()})));
    try (Result result = gradients.run(inputs)) {
      for (String name : model.parameters().keySet()) {
        List<String> names = new ArrayList<>(List.of(name));
        names.addAll(optimizer.stateNames(name));
        List<NDArray> old = names.stream().map(values::get).toList();
        List<NDArray> updated = optimizer.update(name, old.getFirst(), arrays.copyOf(result.get(name).view()), old
          .subList(1, old.size()), factors);
        for (int state = 0; state < names.size(); state++) {
          values.put(names.get(state), updated.get(state));
        }
      }
      arrays.waitAll();
    }
    inputs.values().forEach(Tensor::close);
  }

  /** The gradients as outputs, with parameters as inputs. */
  private static Graph gradientGraph(TrainableGraph model) {
    var builder = new GraphBuilder("gradients");
    Map<Node, NodeEntry> places = new HashMap<>();
    for (Node input : model.graph().inputs()) {
      if (input.kind() instanceof NodeKind.Input(var type)) {
        TrainableGraph.Parameter parameter = model.parameters().get(input.name());
        places.put(input, parameter == null
          ? builder.input(input.name(), type)
          : builder.input(input.name(), parameter.initial().type()));
      }
    }
    List<NodeEntry> operands = new ArrayList<>(GraphRewriter.substitute(List.of(model.graph().outputs().getFirst()
      .entry()), places));
    List<String> names = List.copyOf(model.parameters().keySet());
    model.parameters().values().forEach(it -> operands.add(places.get(it.node())));
    List<NodeEntry> gradients = builder.applyForAll("Gradient", Attributes.NONE, names.size(), operands.toArray(
      NodeEntry[]::new));
    for (int i = 0; i < names.size(); i++) {
      builder.output(names.get(i), gradients.get(i));
    }
    return builder.build();
  }
}
