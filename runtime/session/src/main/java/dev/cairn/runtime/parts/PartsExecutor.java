package dev.cairn.runtime.parts;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.NamedValues;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunValue;
import dev.cairn.runtime.executor.ValueExecutor;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.UnreadSlices;
import dev.cairn.runtime.trace.RunObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a graph in parts: each part is planned as soon as a run knows its types, and the nodes between parts run one by
 * one. Plans stay for runs with the same types. Thread-safe.
 */
public final class PartsExecutor implements ValueExecutor {
  private final Graph graph;
  private final GraphRest whole;
  private final Allocator allocator;
  private volatile List<CompiledGraph> latest = List.of();

  /** @param allocator of the values between parts, and of results */
  public PartsExecutor(Graph graph, PartSource source, Allocator allocator) {
    this.graph = UnreadSlices.dropped(graph);
    this.whole = new GraphRest(this.graph, source);
    this.allocator = allocator;
  }

  public Graph graph() {
    return graph;
  }

  /** The planned parts of the run that ended last, in their order. */
  public List<CompiledGraph> latest() {
    return latest;
  }

  @Override
  public Run runValues(List<RunValue> inputs, RunLimit limit, RunObserver observer) {
    if (inputs.size() != graph.inputs().size()) {
      throw new IllegalArgumentException("inputs and graph differ: inputs=%d wanted=%d".formatted(inputs.size(), graph
        .inputs().size()));
    }
    var run = new PartRun();
    try {
      for (int i = 0; i < inputs.size(); i++) {
        run.values.give(graph.inputs().get(i).name(), inputs.get(i));
      }
      observer.admitted();
      run.runAll(limit, observer.observesSteps() ? observer : RunObserver.NONE);
      return run;
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
  }

  /** One run. */
  private final class PartRun implements Run {
    private final NamedValues values = new NamedValues(allocator);
    private final Deque<Taken> taken = new ArrayDeque<>();
    /** For each output of the graph, the name of its value. */
    private Map<String, String> outputs = Map.of();

    private record Taken(GraphRest of, GraphStage stage) {}

    void runAll(RunLimit limit, RunObserver observer) {
      List<CompiledGraph> planned = List.of();
      GraphRest next = whole;
      while (next != null) {
        GraphStage stage = next.take(values.types(next.graph()), limit);
        taken.push(new Taken(next, stage));
        for (GraphPart part : stage.parts()) {
          part.run(values, limit, observer);
        }
        values.keep(stage.kept());
        outputs = stage.done().outputs();
        planned = stage.done().planned();
        next = stage.rest();
      }
      latest = planned;
    }

    private String name(int output) {
      String name = outputs.get(graph.outputs().get(output).name());
      if (name == null) {
        throw new AssertionError("no part gave an output: output=" + graph.outputs().get(output).name());
      }
      return name;
    }

    @Override
    public RunValue value(int output) {
      return values.value(name(output));
    }

    @Override
    public Optional<Block> takeOutput(int index) {
      String name = name(index);
      int uses = 0;
      for (Graph.Output output : graph.outputs()) {
        uses += name.equals(outputs.get(output.name())) ? 1 : 0;
      }
      return uses > 1 ? Optional.empty() : values.take(name);
    }

    @Override
    public void close() {
      values.close();
      taken.forEach(it -> it.of.giveBack(it.stage));
      taken.clear();
    }
  }

  /** Plans for the types of each run alone from now on; false where it does so already. */
  public boolean giveUpLargest() {
    return whole.giveUpLargest();
  }

  /** Closes what no run uses now and that takes memory for each concurrent run. */
  public void closeIdle() {
    whole.forEachPlanned(PlannedExecutor::closeIdle);
  }

  /** Gives the weights of planned parts back too, where no run uses them. */
  public void releaseWeights() {
    whole.forEachPlanned(PlannedExecutor::releaseWeights);
  }

  @Override
  public void close() {
    whole.close();
  }
}
