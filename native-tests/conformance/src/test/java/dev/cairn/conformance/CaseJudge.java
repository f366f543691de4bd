package dev.cairn.conformance;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.OnnxReader;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.OptionalValue;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMap;
import dev.cairn.runtime.value.TensorSequence;
import dev.cairn.runtime.value.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Runs a case in several settings and says what became of it. What is not claimed is for {@link Gaps} to say;
 * everything else that goes wrong is a failure.
 */
final class CaseJudge {
  /** What is compiled like this also runs with the naive plan. */
  static final PlannedRun.Setting AS_WRITTEN = PlannedRun.Setting.of(PlannerChoice.REUSE, false);
  /** The best kernels as sessions run them, and the portable ones. */
  static final List<PlannedRun.Setting> SETTINGS = List.of(PlannedRun.Setting.of(PlannerChoice.BEST_FIT, true),
    PlannedRun.Setting.portable());

  /** The wanted results of transforms have errors of {@code float32} sums. */
  private static final Closeness OF_TRANSFORMS = new Closeness(1e-3, 1e-6);

  private final PlannedRun runner;
  private final Path folder;
  private final List<PlannedRun.Setting> settings;

  /** @param folder for the case's files while it is judged */
  CaseJudge(PlannedRun runner, Path folder, List<PlannedRun.Setting> settings) {
    this.runner = runner;
    this.folder = folder;
    this.settings = settings;
  }

  Verdict judge(NodeCase one) throws IOException {
    Graph graph;
    try {
      graph = OnnxReader.read(one.model(folder), StandardOperators.table());
    } catch (UnsupportedOperators e) {
      return Gaps.ofReader(e.gaps());
    } catch (InvalidModel e) {
      return new Verdict.Failed(e.toString());
    }
    List<Value> given = one.inputs(folder);
    Map<String, Value> values = new LinkedHashMap<>();
    Map<String, TensorView> inputs = new LinkedHashMap<>();
    for (int i = 0; i < graph.inputs().size(); i++) {
      values.put(graph.inputs().get(i).name(), given.get(i));
      if (given.get(i) instanceof Tensor tensor) {
        inputs.put(graph.inputs().get(i).name(), tensor.view());
      }
    }
    List<Value> wanted = one.outputs(folder);
    try {
      return wanted.stream().allMatch(it -> it instanceof Tensor) && inputs.size() == values.size()
        ? run(graph, inputs, wanted.stream().map(it -> ((Tensor) it).view()).toList())
        : inSession(graph, values, wanted, "");
    } finally {
      values.values().forEach(it -> it.tensors().forEach(Tensor::close));
      wanted.forEach(it -> it.tensors().forEach(Tensor::close));
    }
  }

  private Verdict run(Graph graph, Map<String, TensorView> inputs, List<TensorView> wanted) {
    var bound = new ShapeInputs(graph, inputs);
    for (PlannedRun.Setting setting : settings) {
      try {
        CompiledGraph compiled = compiled(bound, setting);
        Optional<String> difference = difference(graph, wanted, runner.run(compiled, inputs));
        if (difference.isPresent()) {
          return new Verdict.Failed(setting.name() + ": " + difference.get());
        }
        if (setting.equals(AS_WRITTEN)) {
          Optional<String> naive = difference(graph, wanted, runner.run(PlannedRun.naive(compiled), inputs));
          if (naive.isPresent()) {
            return new Verdict.Failed("as written, naive plan: " + naive.get());
          }
        }
      } catch (UnsupportedOperators e) {
        return Gaps.ofCompiler(e.gaps());
      } catch (ShapeInputs.ValueNeeded e) {
        return bySession(graph, inputs, wanted, "");
      } catch (ValueDependentShape e) {
        return bySession(graph, inputs, wanted, "");
      } catch (InvalidGraph e) {
        return Gaps.ofInference(e).orElseGet(() -> new Verdict.Failed(setting.name() + ": " + e.getMessage()));
      } catch (RuntimeException e) {
        return new Verdict.Failed(setting.name() + ": " + e);
      }
    }
    return bound.names().isEmpty()
      ? new Verdict.Passed()
      : bySession(graph, inputs, wanted, String.join(", ", bound.names()));
  }

  /** The model as it is given, as a session runs it. */
  private static Verdict bySession(Graph graph, Map<String, TensorView> inputs, List<TensorView> wanted,
    String values) {
    Map<String, Value> given = new LinkedHashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    return inSession(graph, given, wanted.stream().<Value>map(Tensor::copyOf).toList(), values);
  }

  private static Verdict inSession(Graph graph, Map<String, ? extends Value> given, List<? extends Value> wanted,
    String values) {
    try (Session session = Session.of(graph, SessionOptions.DEFAULT); Result result = session.run(given)) {
      List<Value> outputs = graph.outputs().stream().map(output -> result.value(output.name())).toList();
      Optional<String> difference = outputs.size() != wanted.size()
        ? Optional.of("%d outputs instead of %d".formatted(outputs.size(), wanted.size()))
        : IntStream.range(0, wanted.size()).mapToObj(i -> difference(graph, wanted.get(i), outputs.get(i))).flatMap(
          Optional::stream).findFirst();
      return difference.isPresent()
        ? new Verdict.Failed("in a session: " + difference.get())
        : session.unplannedReason().isEmpty() ? new Verdict.Passed() : new Verdict.PassedNodeByNode(values);
    } catch (UnsupportedOperators e) {
      return Gaps.ofCompiler(e.gaps());
    } catch (RuntimeException e) {
      return new Verdict.Failed("in a session: " + e);
    }
  }

  private static Optional<String> difference(Graph graph, Value wanted, Value given) {
    if (!kind(wanted).equals(kind(given)) || wanted.tensors().size() != given.tensors().size()) {
      return Optional.of("%s instead of %s".formatted(given, wanted));
    }
    return difference(graph, views(wanted), views(given));
  }

  /** What contains the tensors. */
  private static String kind(Value value) {
    return switch (value) {
      case Tensor _ -> "tensor";
      case TensorSequence sequence -> "sequence of " + sequence.dtype();
      case TensorMap map -> "map of " + map.dtype();
      case TensorMap.Sequence maps -> "maps of " + maps.values().dtype();
      case OptionalValue optional -> "optional " + optional.value().map(CaseJudge::kind).orElse("without a value");
    };
  }

  private static List<TensorView> views(Value value) {
    return value.tensors().stream().map(Tensor::view).toList();
  }

  /** Compiles; each time a shape turns out to depend on inputs, these become constants. */
  private CompiledGraph compiled(ShapeInputs bound, PlannedRun.Setting setting) {
    while (true) {
      try {
        return runner.compile(bound.graph(), bound.inputs(), setting);
      } catch (InvalidGraph e) {
        if (!bound.fix(e)) {
          throw e;
        }
      }
    }
  }

  private static Optional<String> difference(Graph graph, List<TensorView> wanted, List<TensorView> given) {
    if (wanted.size() != given.size()) {
      return Optional.of("%d outputs instead of %d".formatted(given.size(), wanted.size()));
    }
    boolean drawn = graph.nodes().stream().anyMatch(CaseJudge::draws);
    Closeness closeness = graph.nodes().stream().anyMatch(it -> it.kind() instanceof NodeKind.Apply apply && apply
      .operator().equals("DFT")) ? OF_TRANSFORMS : Closeness.OF_BACKEND_TESTS;
    for (int i = 0; i < wanted.size(); i++) {
      if (drawn && wanted.get(i).type().equals(given.get(i).type())) {
        continue;
      }
      Optional<String> difference = closeness.difference(wanted.get(i), given.get(i));
      if (difference.isPresent()) {
        return Optional.of("output %d: %s".formatted(i, difference.get()));
      }
    }
    return Optional.empty();
  }

  /** Whether results are those of a generator of random numbers, of which there is another one for each runtime. */
  private static boolean draws(Node node) {
    return node.kind() instanceof NodeKind.Apply apply && RandomOperatorsTest.DRAWN.contains(apply.operator());
  }
}
