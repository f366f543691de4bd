package dev.cairn.runtime.train;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.loss.Loss;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.value.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Trains a model. An iteration is one planned graph: forward, loss, gradients and updates. Its memory is known before
 * the first one, and later iterations take no more. Not thread-safe.
 *
 * <pre>{@code
 * try (var trainer = Trainer.of(net, Losses.softmaxCrossEntropy(), Optimizers.adamW(), TrainerOptions.DEFAULT)) {
 *   double loss = trainer.iterate(data, labels);
 * }}</pre>
 */
public final class Trainer implements AutoCloseable {
  /** The name of the input that has the data. */
  public static final String DATA = "data";
  /** The name of the input that has the labels. */
  public static final String LABELS = "labels";

  private final TrainableModel model;
  private final Optimizer optimizer;
  private final TrainerOptions options;
  private IterationCount count;
  private Map<String, TensorType> firstTypes = Map.of();
  private @Nullable IterationGraph iteration;
  /** The digest of the model's graph, which is made with the iteration. */
  private @Nullable String digest;
  private @Nullable TrainingSession session;
  private @Nullable Checkpoint pending;
  private @Nullable String failure;
  private boolean isClosed;

  Trainer(TrainableModel model, Optimizer optimizer, TrainerOptions options) {
    this.model = model;
    this.optimizer = optimizer;
    this.options = options;
    this.count = IterationCount.fromSeed(options.seed());
  }

  /** Trains a network of layers. If parameters have no values yet, all get their first ones from the options' seed. */
  public static Trainer of(Layer layer, Loss loss, Optimizer optimizer, TrainerOptions options) {
    return new Trainer(new LayerModel(layer, loss, options.seed()), optimizer, options);
  }

  /**
   * Trains a graph, such as a decoded ONNX model: float constants become parameters.
   *
   * @param trainable which constants, by name
   * @param loss of the graph's first output and the labels
   */
  public static Trainer of(Graph graph, Predicate<String> trainable, Loss loss, Optimizer optimizer,
    TrainerOptions options) {
    return new Trainer(new GraphModel(graph, trainable, loss), optimizer, options);
  }

  /** Like {@link #iterate(Map)}, of a model with one input. */
  public double iterate(Tensor data, Tensor labels) {
    return iterate(Map.of(model.dataName(), data, LABELS, labels));
  }

  /**
   * Runs one iteration. If it fails in the middle, the trainer refuses further ones until {@link #restore} or {@link
   * #reset}: some parameters may be updated and others not. The first types that have a plan stay, but for the batch.
   *
   * @param batch a tensor for each of the model's inputs, and {@link #LABELS}
   * @return the loss of this batch, before the update
   * @throws IllegalArgumentException when a tensor is missing, unknown or of the wrong type; nothing has changed then
   * @throws OutOfMemory when the iteration does not fit the memory limit; nothing has changed then
   * @throws IllegalStateException when closed, or after an iteration that failed
   */
  public double iterate(Map<String, Tensor> batch) {
    requireUsable();
    Map<String, TensorType> types = new LinkedHashMap<>();
    batch.forEach((name, tensor) -> types.put(name, tensor.isOnDevice() ? tensor.type() : tensor.view().type()));
    IterationGraph graph = iteration(types);
    graph.inputTypes(types);
    TrainingSession running = session(graph);
    // A schedule of a user may fail, when nothing has changed yet.
    Map<String, Double> factors = optimizer.factors(updates() + 1);
    boolean isUpdate = (iterations() + 1) % options.accumulate() == 0;
    try {
      TrainingSession.Outcome outcome = running.run(batch, factors, isUpdate, count.random());
      count.add(outcome);
      pending = null;
      return outcome.loss();
    } catch (OutOfMemory | InvalidGraph | UnsupportedOperators e) {
      forgetUnplanned();
      throw e;
    } catch (RuntimeException | Error e) {
      failure = String.valueOf(e.getMessage());
      throw e;
    }
  }

  /** How many iterations have run, those before a checkpoint included. */
  public long iterations() {
    return count.iterations();
  }

  /** How many updates there were: one for each iteration, unless gradients accumulate or an update was left out. */
  public long updates() {
    return count.updates(options.accumulate());
  }

  /** How many updates a dynamic {@link LossScale} left out, since a gradient was not finite. */
  public long skippedUpdates() {
    return count.skipped();
  }

  /** The present factor of the loss, by the trainer's {@link LossScale}. */
  public double lossScale() {
    return iteration != null && options.lossScale().isDynamic()
      ? running().number(LossScaling.SCALE)
      : options.lossScale().initial();
  }

  /** The learning rate of the next update. */
  public double rate() {
    return optimizer.schedule().rate(updates() + 1);
  }

  /** Like {@link #plan(Map)}, of a model with one input. */
  public IterationPlan plan(TensorType data, TensorType labels) {
    return plan(Map.of(model.dataName(), data, LABELS, labels));
  }

  /**
   * The graph of one iteration. Its gradients are one node, which the compiler expands.
   *
   * @param types of the model's inputs, and of {@link #LABELS}
   */
  public Graph graph(Map<String, TensorType> types) {
    IterationGraph graph = iteration(types);
    graph.inputTypes(types);
    return graph.graph();
  }

  /**
   * The memory of an iteration, without running one.
   *
   * @param types of the model's inputs, and of {@link #LABELS}
   */
  public IterationPlan plan(Map<String, TensorType> types) {
    IterationGraph graph = iteration(types);
    try (ModelCompiler compiler = ModelCompiler.open(options.session())) {
      CompiledGraph compiled = compiler.compile(graph.graph(), graph.inputTypes(types), options.session().compile());
      return IterationPlan.of(compiled, graph, compiler.isHost());
    } catch (InvalidGraph | UnsupportedOperators e) {
      forgetUnplanned();
      throw e;
    }
  }

  /**
   * The memory of the latest iteration.
   *
   * @throws IllegalStateException before the first one
   */
  public IterationPlan plan() {
    TrainingSession running = running();
    IterationGraph graph = iteration(firstTypes);
    return IterationPlan.of(running.session().compiled().orElseThrow(() -> new IllegalStateException(
      "no iteration has run yet: give plan the types of the data and labels")), graph, running.session().isHost());
  }

  /** Statistics of the trainer's memory: parameters, states, constants and plans. */
  public AllocatorStats memoryStats() {
    return running().session().memoryStats();
  }

  private IterationGraph iteration(Map<String, TensorType> types) {
    requireOpen();
    IterationGraph made = iteration;
    if (made == null) {
      TrainableGraph trained = model.training(types);
      made = IterationBuilder.build(trained, optimizer, options);
      digest = ModelDigest.of(trained);
      firstTypes = Map.copyOf(types);
      iteration = made;
    }
    return made;
  }

  private TrainingSession session(IterationGraph graph) {
    TrainingSession made = session;
    if (made == null) {
      if (pending != null) {
        requirePending(pending, graph);
      }
      made = TrainingSession.open(graph, options.session(), pending);
      session = made;
    }
    return made;
  }

  /** The first types may be wrong, and then other types may follow. */
  private void requirePending(Checkpoint checkpoint, IterationGraph graph) {
    try {
      requireSame(checkpoint, graph);
    } catch (IllegalArgumentException e) {
      iteration = null;
      throw e;
    }
  }

  private void requireSame(Checkpoint checkpoint, IterationGraph graph) {
    checkpoint.requireTensors(graph.variableTypes());
    checkpoint.requireGraph(Objects.requireNonNull(digest));
  }

  /** Forgets the first types as long as they have no plan: they may be wrong, and then other types may follow. */
  private void forgetUnplanned() {
    TrainingSession opened = session;
    if (opened == null || opened.session().compiled().isEmpty()) {
      closeSession();
      iteration = null;
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("the trainer is closed");
    }
  }

  private void requireUsable() {
    requireOpen();
    if (failure != null) {
      throw new IllegalStateException("an iteration failed, so some parameters may be updated and others not: call "
        + "restore with a checkpoint, or reset: iterations=%d failure=%s".formatted(iterations(), failure));
    }
  }

  private TrainingSession running() {
    requireOpen();
    IterationGraph made = iteration;
    if (made == null) {
      throw new IllegalStateException("the trainer has no values yet: run or plan an iteration first");
    }
    return session(made);
  }

  /** A copy of a parameter, or of a state of the model or the optimizer. */
  public Tensor variable(String name) {
    return running().session().variable(name);
  }

  /** The names of all parameters and states, those of the optimizer last; none before the first iteration. */
  public List<String> variables() {
    return iteration == null ? List.of() : iteration.variables();
  }

  /** The model for inference, with a copy of the present parameters as constants. */
  public Graph toGraph() {
    return model.inference(firstTypes, running().values());
  }

  /** A copy of everything that later iterations depend on. */
  public Checkpoint checkpoint() {
    requireUsable();
    Map<String, String> metadata = new LinkedHashMap<>(options.settings(optimizer));
    count.save(metadata);
    Map<String, TensorView> values = running().values();
    metadata.put(Checkpoint.GRAPH, Objects.requireNonNull(digest));
    return new Checkpoint(values, metadata);
  }

  /**
   * Continues where a checkpoint was made. Before the types of the data are known, its tensors and the digest of its
   * graph are checked when the first iteration begins.
   *
   * @throws IllegalArgumentException when the checkpoint has other tensors, is of another network, or was made with
   *   other settings; nothing has changed then
   */
  public void restore(Checkpoint checkpoint) {
    requireOpen();
    checkpoint.requireSettings(options.settings(optimizer));
    IterationCount saved = IterationCount.of(checkpoint);
    if (iteration != null) {
      requireSame(checkpoint, iteration);
    }
    if (session != null) {
      session.set(checkpoint);
    }
    pending = checkpoint;
    count = saved;
    failure = null;
  }

  /** Starts anew, with the first values of all parameters and states. */
  public void reset() {
    close();
    isClosed = false;
    count = IterationCount.fromSeed(options.seed());
    pending = null;
    failure = null;
  }

  @Override
  public void close() {
    requireOpen();
    isClosed = true;
    closeSession();
  }

  private void closeSession() {
    if (session != null) {
      session.close();
    }
    session = null;
  }
}
