package dev.cairn.conformance;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.InvalidModel;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.Tensor;
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
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a case in several settings and says what became of it. What is not claimed is for {@link Gaps} to say;
 * everything else that goes wrong is a failure.
 */
final class CaseJudge {
  private static final List<PlannedRun.Setting> SETTINGS = List.of(
    PlannedRun.Setting.of(PlannerChoice.BEST_FIT, true), PlannedRun.Setting.of(PlannerChoice.REUSE, false),
    PlannedRun.Setting.of(PlannerChoice.NAIVE, false), PlannedRun.Setting.portable());

  /** The wanted results of transforms have errors of {@code float32} sums. */
  private static final Closeness OF_TRANSFORMS = new Closeness(1e-3, 1e-6);

  private final PlannedRun runner;
  private final Path folder;

  /** @param folder for the case's files while it is judged */
  CaseJudge(PlannedRun runner, Path folder) {
    this.runner = runner;
    this.folder = folder;
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
    List<TensorView> given = one.inputs(folder);
    Map<String, TensorView> inputs = new LinkedHashMap<>();
    for (int i = 0; i < graph.inputs().size(); i++) {
      inputs.put(graph.inputs().get(i).name(), given.get(i));
    }
    return run(graph, inputs, one.outputs(folder));
  }

  private Verdict run(Graph graph, Map<String, TensorView> inputs, List<TensorView> wanted) {
    var bound = new ShapeInputs(graph, inputs);
    for (PlannedRun.Setting setting : SETTINGS) {
      try {
        CompiledGraph compiled = compiled(bound, setting);
        Optional<String> difference = difference(graph, wanted, runner.run(compiled, inputs));
        if (difference.isPresent()) {
          return new Verdict.Failed(setting.name() + ": " + difference.get());
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
    Map<String, Tensor> given = new LinkedHashMap<>();
    inputs.forEach((name, view) -> given.put(name, Tensor.copyOf(view)));
    try (Session session = Session.of(graph, SessionOptions.DEFAULT); Result result = session.run(given)) {
      List<TensorView> outputs = graph.outputs().stream().map(output -> result.get(output.name()).view()).toList();
      Optional<String> difference = difference(graph, wanted, outputs);
      return difference.isPresent()
        ? new Verdict.Failed("in a session: " + difference.get())
        : session.unplannedReason().isEmpty() ? new Verdict.Passed() : new Verdict.PassedNodeByNode(values);
    } catch (UnsupportedOperators e) {
      return Gaps.ofCompiler(e.gaps());
    } catch (RuntimeException e) {
      return new Verdict.Failed("in a session: " + e);
    } finally {
      given.values().forEach(Tensor::close);
    }
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
