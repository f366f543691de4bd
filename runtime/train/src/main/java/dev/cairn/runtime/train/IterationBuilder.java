package dev.cairn.runtime.train;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.train.optimizer.Optimizer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds an iteration around a model: parameters become variables, a {@code Gradient} node stands for all gradients,
 * and each parameter's update is the optimizer's formula. The compiler expands the {@code Gradient} node when it knows
 * the types.
 */
final class IterationBuilder {
  private final TrainableGraph model;
  private final Optimizer optimizer;
  private final TrainerOptions options;
  private final GraphBuilder builder;
  private final GraphBuilder scope;
  private final Map<Node, NodeEntry> places = new HashMap<>();
  private final Map<String, EntryExpression> variables = new LinkedHashMap<>();
  private final Map<String, IterationGraph.Factor> factors = new LinkedHashMap<>();
  private final Map<IterationGraph.Factor, NodeEntry> factorEntries = new HashMap<>();
  private final List<String> states = new ArrayList<>();
  private MemorySegment zeros = MemorySegment.ofArray(new long[0]);

  private IterationBuilder(TrainableGraph model, Optimizer optimizer, TrainerOptions options) {
    this.model = model;
    this.optimizer = optimizer;
    this.options = options;
    this.builder = new GraphBuilder(model.graph().name());
    this.scope = builder.within(IterationGraph.UPDATE);
  }

  static IterationGraph build(TrainableGraph model, Optimizer optimizer, TrainerOptions options) {
    return new IterationBuilder(model, optimizer, options).build();
  }

  private IterationGraph build() {
    optimizer.requireKnown(model.parameters().keySet());
    model.inputs().forEach(it -> places.put(it, builder.input(it.name(), declared(it))));
    model.parameters().forEach((name, parameter) -> places.put(parameter.node(), variable(name, parameter.initial())
      .entry()));
    Map<String, NodeEntry> outputs = outputs();
    List<EntryExpression> trained = trained();
    LossScaling scaling = LossScaling.of(this, options.lossScale(), trained);
    List<EntryExpression> gradients = scaling.unscaled(gradients(scaling, entry(outputs, TrainableGraph.LOSS),
      trained));
    EntryExpression now = null;
    if (options.accumulate() > 1) {
      now = new EntryExpression(scope, builder.input(IterationGraph.UPDATE + "/now", TensorType.of(DType.BOOL)),
        DType.BOOL);
    }
    new UpdateNodes(this, now, scaling).add(model.trained(), gradients);
    model.updates().forEach((state, output) -> builder.assign(variable(state).entry(), entry(outputs, output)));
    outputs.forEach((name, entry) -> {
      if (!model.updates().containsValue(name)) {
        builder.output(name, entry);
      }
    });
    String whether = now == null ? "" : now.entry().node().name();
    return new IterationGraph(builder.build(), factors, whether, options.lossScale().isDynamic(), model.draws(),
      List.copyOf(model.parameters().keySet()), states);
  }

  private static DeclaredType declared(Node input) {
    if (input.kind() instanceof NodeKind.Input(DeclaredType type)) {
      return type;
    }
    throw new AssertionError("not an input: node=" + input);
  }

  private Map<String, NodeEntry> outputs() {
    List<Graph.Output> outputs = model.graph().outputs();
    List<NodeEntry> moved = GraphRewriter.substitute(outputs.stream().map(Graph.Output::entry).toList(), places);
    Map<String, NodeEntry> all = new LinkedHashMap<>();
    for (int i = 0; i < outputs.size(); i++) {
      all.put(outputs.get(i).name(), moved.get(i));
    }
    return all;
  }

  private static NodeEntry entry(Map<String, NodeEntry> outputs, String name) {
    NodeEntry entry = outputs.get(name);
    if (entry == null) {
      throw new IllegalArgumentException("the model has no such output: name=%s outputs=%s".formatted(name, outputs
        .keySet()));
    }
    return entry;
  }

  private List<EntryExpression> trained() {
    List<EntryExpression> trained = model.trained().stream().map(this::variable).toList();
    if (trained.isEmpty()) {
      throw new IllegalArgumentException("no parameter is to be trained: parameters=" + model.parameters().keySet());
    }
    return trained;
  }

  private List<EntryExpression> gradients(LossScaling scaling, NodeEntry loss, List<EntryExpression> trained) {
    NodeEntry scaled = scaling.scaled(new EntryExpression(scope, loss, trained.getFirst().dtype())).entry();
    List<NodeEntry> operands = new ArrayList<>(List.of(scaled));
    trained.forEach(it -> operands.add(it.entry()));
    List<NodeEntry> results = builder.applyForAll("Gradient", Attributes.NONE, trained.size(), operands.toArray(
      NodeEntry[]::new));
    List<EntryExpression> gradients = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      gradients.add(new EntryExpression(scope, results.get(i), trained.get(i).dtype()));
    }
    return gradients;
  }

  Optimizer optimizer() {
    return optimizer;
  }

  TrainerOptions options() {
    return options;
  }

  /** A builder whose nodes update this parameter. */
  GraphBuilder scope(String parameter) {
    return scope.within(parameter);
  }

  /** A variable that was made before. */
  EntryExpression variable(String name) {
    EntryExpression variable = variables.get(name);
    if (variable == null) {
      throw new IllegalArgumentException("no such parameter or state: name=%s known=%s".formatted(name, variables
        .keySet()));
    }
    return variable;
  }

  private EntryExpression variable(String name, TensorView initial) {
    if (variables.containsKey(name)) {
      throw new IllegalArgumentException(
        "a parameter has the name that a state of the optimizer or of the trainer needs; rename it in the model: name="
          + name);
    }
    EntryExpression made = new EntryExpression(scope, builder.variable(name, initial), initial.dtype());
    variables.put(name, made);
    return made;
  }

  /** A variable that starts as zeros and is saved with the parameters. */
  EntryExpression state(String name, TensorType type) {
    return state(name, zeros(type));
  }

  /** A variable that is saved with the parameters. */
  EntryExpression state(String name, TensorView initial) {
    states.add(name);
    return variable(name, initial);
  }

  void output(String name, EntryExpression value) {
    builder.output(name, value.entry());
  }

  TensorType type(String parameter) {
    TrainableGraph.Parameter found = model.parameters().get(parameter);
    if (found == null) {
      throw new IllegalArgumentException("no such parameter: name=" + parameter);
    }
    return found.initial().type();
  }

  /** All states share the bytes of their first values. */
  private TensorView zeros(TensorType type) {
    if (zeros.byteSize() < type.bytes()) {
      zeros = MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(type.bytes(), Long.BYTES))]);
    }
    return new TensorView(type, zeros.asSlice(0, type.bytes()));
  }

  void assign(String variable, EntryExpression value) {
    builder.assign(variable(variable).entry(), value.entry());
  }

  /** The optimizer's factors as scalars of an element type, which become inputs. */
  Map<String, EntryExpression> factors(DType dtype) {
    Map<String, EntryExpression> all = new HashMap<>();
    for (String name : optimizer.factors(1).keySet().stream().sorted().toList()) {
      var factor = new IterationGraph.Factor(name, dtype);
      NodeEntry entry = factorEntries.computeIfAbsent(factor, it -> {
        String input = "%s/%s/%s".formatted(IterationGraph.UPDATE, name, dtype);
        factors.put(input, it);
        return builder.input(input, new TensorType(dtype, Shape.SCALAR));
      });
      all.put(name, new EntryExpression(scope, entry, dtype));
    }
    return all;
  }
}
