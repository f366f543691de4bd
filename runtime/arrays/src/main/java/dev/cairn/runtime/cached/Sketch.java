package dev.cairn.runtime.cached;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.autograd.RecordingScope;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.CallFollower;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.resource.RandomState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The graph of a function on arrays (C-1). The function runs once, on arrays that have types and no elements, and its
 * calls become the nodes. It may ask for types, so that it may branch by shapes; it gets no elements, and overwrites
 * and closes none of these arrays. It may overwrite other arrays by {@code copyFrom}: these are states, and their new
 * values are results of the graph.
 *
 * @param graph its outputs are the function's results, {@code y0}, {@code y1} and so on, then the new values of states
 * @param types of all entries of the graph
 * @param inputs what each input of the graph is, in the graph's order
 * @param states the arrays that the function overwrites
 */
public record Sketch(Graph graph, GraphTypes types, List<Source> inputs, List<NDArray> states) {
  /** What a graph's input stands for. */
  public sealed interface Source {
    /** An operand of the function, {@code x0}, {@code x1} and so on. */
    record Operand(int index) implements Source {}

    /** An array that the function uses besides its operands, {@code w0}, {@code w1} and so on. */
    record Parameter(NDArray array) implements Source {}

    /** One use of random numbers, {@code draw0}, {@code draw1} and so on: seed and number of a draw. */
    record Draw(RandomState state) implements Source {}
  }

  public Sketch {
    inputs = List.copyOf(inputs);
    states = List.copyOf(states);
  }

  /**
   * Sketches a function.
   *
   * @param arrays the runtime of all arrays that the function uses
   * @param types of the operands
   * @throws IllegalStateException when the function asks for elements, or overwrites or closes an array of the sketch
   * @throws IllegalArgumentException when a call breaks an operator's rules, or uses an array of another sketch
   * @throws dev.cairn.runtime.operator.ValueDependentShape when a type depends on elements
   */
  public static Sketch of(ArrayRuntime arrays, List<TensorType> types, UnaryOperator<List<NDArray>> function) {
    return of(arrays, types, List.of(), function);
  }

  /**
   * Like {@link #of(ArrayRuntime, List, UnaryOperator)}.
   *
   * @param parameters arrays that become the first inputs after the operands, also those that the function does not use
   */
  static Sketch of(ArrayRuntime arrays, List<TensorType> types, List<NDArray> parameters,
    Function<List<NDArray>, List<NDArray>> function) {
    var calls = new SketchedCalls(arrays);
    List<NDArray> operands = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      operands.add(calls.operand(i, types.get(i)));
    }
    parameters.forEach(calls::parameter);
    CallFollower follower = FollowedCalls.follower();
    FollowedCalls.follow(calls);
    // Recording is on, so that the sketch notices where the function pauses it.
    try (RecordingScope _ = Autograd.record(Autograd.isTraining())) {
      return calls.sketch(function.apply(List.copyOf(operands)));
    } finally {
      FollowedCalls.follow(follower);
    }
  }

  /** The arrays that the function uses besides its operands, in the order of the inputs. */
  public List<NDArray> parameters() {
    return inputs.stream().filter(Source.Parameter.class::isInstance).map(it -> ((Source.Parameter) it).array())
      .toList();
  }

  static Node input(String name, TensorType type) {
    return Node.input(name, DeclaredType.of(type));
  }

  /** The function's results. */
  List<NodeEntry> results() {
    return graph.outputs().subList(0, graph.outputs().size() - states.size()).stream().map(Graph.Output::entry)
      .toList();
  }

  static List<Graph.Output> outputs(String prefix, List<NodeEntry> entries) {
    List<Graph.Output> named = new ArrayList<>();
    for (NodeEntry entry : entries) {
      named.add(new Graph.Output(prefix + named.size(), entry));
    }
    return named;
  }
}
