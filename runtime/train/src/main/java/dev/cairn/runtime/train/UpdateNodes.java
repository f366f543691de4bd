package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds what happens to gradients: they are summed up, clipped and kept, and each parameter follows its own. */
final class UpdateNodes {
  /** Keeps the norm of all gradients from being a divisor of zero. PyTorch's number. */
  private static final double NORM_EPSILON = 1e-6;

  private final IterationBuilder iteration;
  private final @Nullable EntryExpression now;
  private final LossScaling scaling;

  /** @param now whether this iteration updates; null when each does */
  UpdateNodes(IterationBuilder iteration, @Nullable EntryExpression now, LossScaling scaling) {
    this.iteration = iteration;
    this.now = now;
    this.scaling = scaling;
  }

  void add(List<String> parameters, List<EntryExpression> gradients) {
    List<EntryExpression> sums = now == null ? gradients : accumulated(parameters, gradients, now);
    EntryExpression applied = scaling.applied(sums, now);
    List<EntryExpression> clipped = Double.isInfinite(iteration.options().clipGlobalNorm()) ? sums : clipped(sums);
    for (int i = 0; i < parameters.size(); i++) {
      String name = parameters.get(i);
      if (iteration.options().keepsGradients()) {
        iteration.state(name(IterationGraph.GRADIENT, name), iteration.type(name));
        iteration.assign(name(IterationGraph.GRADIENT, name), clipped.get(i));
      }
      update(name, clipped.get(i), applied);
    }
  }

  private static String name(String kind, String parameter) {
    return kind + "." + parameter;
  }

  /** The sums so far; after an update, a sum begins anew. */
  private List<EntryExpression> accumulated(List<String> parameters, List<EntryExpression> gradients,
    EntryExpression condition) {
    List<EntryExpression> sums = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      String name = parameters.get(i);
      EntryExpression before = iteration.state(name(IterationGraph.SUM, name), iteration.type(name));
      EntryExpression sum = before.within(iteration.scope(name)).add(gradients.get(i));
      iteration.assign(name(IterationGraph.SUM, name), condition.within(iteration.scope(name)).where(sum.scalar(0),
        sum));
      sums.add(sum);
    }
    return sums;
  }

  /** All gradients times the same number, so that their norm together is at most the limit. */
  private List<EntryExpression> clipped(List<EntryExpression> gradients) {
    EntryExpression squares = null;
    for (EntryExpression gradient : gradients) {
      EntryExpression square = gradient.sumOfSquares();
      squares = squares == null
        ? square
        : squares.add(square.dtype() == squares.dtype()
          ? square
          : square.astype(squares.dtype()));
    }
    if (squares == null) {
      return gradients;
    }
    EntryExpression norm = squares.sqrt();
    EntryExpression scale = norm.scalar(iteration.options().clipGlobalNorm()).div(norm.add(NORM_EPSILON)).minimum(norm
      .scalar(1));
    return gradients.stream().map(it -> it.mul(scale.dtype() == it.dtype() ? scale : scale.astype(it.dtype())))
      .toList();
  }

  /** @param applied whether the update is made; null when it always is */
  private void update(String name, EntryExpression gradient, @Nullable EntryExpression applied) {
    GraphBuilder scope = iteration.scope(name);
    TensorType type = iteration.type(name);
    List<String> names = new ArrayList<>(List.of(name));
    List<EntryExpression> old = new ArrayList<>();
    for (String state : iteration.optimizer().stateNames(name)) {
      names.add(state);
      old.add(iteration.state(state, type).within(scope));
    }
    EntryExpression parameter = iteration.variable(name).within(scope);
    List<EntryExpression> updated = iteration.optimizer().update(name, parameter, gradient.within(scope), old, iteration
      .factors(type.dtype()));
    old.addFirst(parameter);
    for (int i = 0; i < names.size(); i++) {
      iteration.assign(names.get(i), applied == null
        ? updated.get(i)
        : applied.within(scope).where(updated.get(i), old.get(i)));
    }
  }
}
