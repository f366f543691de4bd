package dev.cairn.runtime.train;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Scalars;
import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.Value;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An iteration on a device, with the memory of parameters and states, and the inputs that the trainer itself gives. */
final class TrainingSession implements AutoCloseable {
  private final IterationGraph iteration;
  private final Session session;
  private final Map<String, Tensor> given = new LinkedHashMap<>();

  /**
   * The report of an iteration.
   *
   * @param isSkipped whether its update was left out, since a gradient was not finite
   */
  record Outcome(double loss, boolean isSkipped) {}

  private TrainingSession(IterationGraph iteration, SessionOptions options) {
    this.iteration = iteration;
    this.session = Session.of(iteration.graph(), options);
    try {
      iteration.givenTypes().forEach((name, type) -> given.put(name, session.newInput(type.dtype(), type.shape()
        .extents())));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Opens a session.
   *
   * @param start the values of parameters and states, with exactly their tensors; null for the first ones
   */
  static TrainingSession open(IterationGraph iteration, SessionOptions options, @Nullable Checkpoint start) {
    var opened = new TrainingSession(iteration, options);
    try {
      if (start != null) {
        opened.set(start);
      }
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  Session session() {
    return session;
  }

  /**
   * Runs once.
   *
   * @param factors of the update, or of the next one
   * @param updates whether this iteration has it
   */
  Outcome run(Map<String, Tensor> batch, Map<String, Double> factors, boolean updates, RandomState random) {
    iteration.factors().forEach((input, factor) -> tensor(input).segment().copyFrom(Scalars.of(factor.dtype(),
      factors.getOrDefault(factor.name(), Double.NaN)).segment()));
    if (!iteration.now().isEmpty()) {
      tensor(iteration.now()).segment().set(ValueLayout.JAVA_BYTE, 0, (byte) (updates ? 1 : 0));
    }
    if (iteration.draws() > 0) {
      tensor(TrainableGraph.RANDOM).segment().copyFrom(TensorView.ofLongs(random.save()).segment());
    }
    Map<String, Value> inputs = new LinkedHashMap<>(batch);
    inputs.putAll(given);
    try (Result result = session.run(inputs)) {
      for (int draw = 0; draw < iteration.draws(); draw++) {
        random.draw();
      }
      boolean applied = !iteration.scales() || result.get(LossScaling.APPLIED).view().doubleAt(0) != 0;
      return new Outcome(result.get(TrainableGraph.LOSS).view().doubleAt(0), updates && !applied);
    }
  }

  private Tensor tensor(String input) {
    Tensor tensor = given.get(input);
    if (tensor == null) {
      throw new AssertionError("no such input: " + input);
    }
    return tensor;
  }

  /** The value of a state that is a scalar. */
  double number(String variable) {
    try (Tensor value = session.variable(variable)) {
      return value.view().doubleAt(0);
    }
  }

  /** Copies of all parameters and states, by name. */
  Map<String, TensorView> values() {
    Map<String, TensorView> values = new LinkedHashMap<>();
    iteration.variables().forEach(it -> values.put(it, session.variable(it).view()));
    return values;
  }

  /**
   * Gives all parameters and states the values of a checkpoint, which has exactly their tensors.
   */
  void set(Checkpoint checkpoint) {
    checkpoint.tensors().forEach((name, value) -> {
      try (Tensor tensor = Tensor.copyOf(value)) {
        session.setVariable(name, tensor);
      }
    });
  }

  @Override
  public void close() {
    try (session) {
      given.values().forEach(Tensor::close);
    }
  }
}
