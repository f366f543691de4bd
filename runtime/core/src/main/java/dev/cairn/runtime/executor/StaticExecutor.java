package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.Operation;
import dev.cairn.runtime.engine.OperationFailed;
import dev.cairn.runtime.engine.Variable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs one compiled graph, again and again, in one set of pools. All addresses are known when it is made: each step's
 * kernel call is bound then, and only the model's inputs are bound anew for a run. Not thread-safe: one run at a time.
 * Owns the pools, unless made by {@link #within}; closing frees them.
 *
 * <p>Each pool has a variable of the engine, and so has each variable of the graph. A step writes the engine's
 * variables of what it writes or reads in, so that steps that share memory keep their order on every engine; on one
 * stream that is the order of the plan.
 */
public final class StaticExecutor implements AutoCloseable {
  private final CompiledGraph graph;
  private final Allocator allocator;
  private final Stream stream;
  private final Engine engine;
  private final List<Block> pools;
  private final StaticExecutor owner;
  private volatile boolean closed;
  private final List<Variable> poolVariables = new ArrayList<>();
  private final List<Variable> graphVariables = new ArrayList<>();
  private final Bindings bindings;
  private final Operation[] operations;
  /** Makes all memory count as written again, for the run after one that failed. */
  private final Operation renewal;
  private boolean hasFailed;
  private RunListener listener = RunListener.NONE;

  /** For a graph without variables. */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, Allocator allocator, Stream stream,
    Engine engine) {
    this(graph, weights, List.of(), allocator, stream, engine);
  }

  /**
   * @param weights the graph's constants, in the order of its storage
   * @param variables the memory of the graph's variables, in the order of its storage; only one executor over it may
   *   run at a time
   * @throws dev.cairn.allocator.OutOfMemory when the pools do not fit; nothing is held then
   */
  public StaticExecutor(CompiledGraph graph, List<TensorView> weights, List<TensorView> variables,
    Allocator allocator, Stream stream, Engine engine) {
    this.graph = graph;
    this.allocator = allocator;
    this.stream = stream;
    this.engine = engine;
    this.owner = this;
    this.pools = allocatePools();
    try {
      this.bindings = new Bindings(graph, weights, variables, pools, stream);
      this.operations = operations();
      this.renewal = renewal();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private StaticExecutor(CompiledGraph graph, StaticExecutor owner, Bindings bindings) {
    this.graph = graph;
    this.allocator = owner.allocator;
    this.stream = owner.stream;
    this.engine = owner.engine;
    this.owner = owner;
    this.pools = owner.pools;
    this.bindings = bindings;
    this.operations = operations();
    this.renewal = renewal();
  }

  /**
   * Runs another graph in the pools of this one, which keeps them. Of all that share pools one may run at a time, and
   * none after this one was closed.
   *
   * @param smaller planned in the pools of this executor's graph
   * @param weights as for the constructor, of the other graph, as are the variables
   */
  public StaticExecutor within(CompiledGraph smaller, List<TensorView> weights, List<TensorView> variables) {
    if (!smaller.plan().pools().equals(graph.plan().pools())) {
      throw new IllegalArgumentException("planned in other pools: pools=%s wanted=%s".formatted(graph.plan().pools(),
        smaller.plan().pools()));
    }
    return new StaticExecutor(smaller, this, new Bindings(smaller, weights, variables, pools, stream));
  }

  private List<Block> allocatePools() {
    var taken = new ArrayList<Block>();
    try {
      for (int i = 0; i < graph.plan().pools().size(); i++) {
        taken.add(allocator.allocate(graph.plan().pools().get(i).bytes(), "plan/pool" + i));
      }
    } catch (RuntimeException | Error e) {
      taken.forEach(allocator::free);
      throw e;
    }
    return List.copyOf(taken);
  }

  private Operation renewal() {
    var all = new ArrayList<>(poolVariables);
    all.addAll(graphVariables);
    return Operation.of("renew", List.of(), all, () -> {}).overwriting();
  }

  private Operation[] operations() {
    for (int i = 0; i < pools.size(); i++) {
      poolVariables.add(engine.newVariable("pool" + i));
    }
    graph.storage().variables().variables().forEach(it -> graphVariables.add(engine.newVariable(it.name())));
    var made = new Operation[graph.storage().steps().size()];
    for (int step = 0; step < made.length; step++) {
      List<Variable> touched = new ArrayList<>();
      bindings.poolsOf(step).forEach(pool -> touched.add(poolVariables.get(pool)));
      bindings.variablesOf(step).forEach(index -> touched.add(graphVariables.get(index)));
      made[step] = Operation.of(graph.storage().steps().get(step).name(), List.of(), touched, bindings.work(step));
    }
    return made;
  }

  /** Tells of the runs from now on; not to be called during one. */
  public void listen(RunListener newListener) {
    listener = newListener;
  }

  /**
   * Runs once and returns when all outputs are there.
   *
   * @param inputs one for each input of the graph, of the types it was compiled for
   * @throws IllegalArgumentException when they are more or fewer
   */
  public void run(List<TensorView> inputs) {
    int wanted = graph.graph().graph().inputs().size();
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
        "inputs and graph differ: inputs=%d wanted=%d".formatted(inputs.size(), wanted));
    }
    bindings.bind(inputs);
    if (hasFailed) {
      engine.push(renewal);
      hasFailed = false;
    }
    RuntimeException failure = null;
    try {
      for (int step = 0; step < operations.length; step++) {
        listener.stepBegan(step, 0);
        engine.push(operations[step]);
        listener.stepEnded(step, 0);
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    failure = awaitAll(poolVariables, awaitAll(graphVariables, failure));
    if (failure != null) {
      hasFailed = true;
      throw causeOf(failure);
    }
    stream.synchronize();
  }

  /** Waits for every variable, whatever became of it; returns the first failure. */
  private @Nullable RuntimeException awaitAll(List<Variable> variables, @Nullable RuntimeException before) {
    RuntimeException failure = before;
    for (Variable variable : variables) {
      try {
        engine.waitForVariable(variable);
      } catch (OperationFailed e) {
        failure = failure == null ? e : failure;
      }
    }
    return failure;
  }

  /** What a kernel threw, as it threw it. */
  private static RuntimeException causeOf(RuntimeException failure) {
    if (failure instanceof OperationFailed && failure.getCause() instanceof Error error) {
      throw error;
    }
    return failure instanceof OperationFailed && failure.getCause() instanceof RuntimeException cause ? cause : failure;
  }

  /** Lets go of the last run's inputs; outputs that are inputs can no longer be read. */
  void releaseInputs() {
    bindings.unbind();
  }

  /** One output of the last run, in the executor's own memory; it lasts until the next run. */
  public TensorView output(int index) {
    return bindings.output(index);
  }

  public CompiledGraph graph() {
    return graph;
  }

  /** Whose pools it runs in: itself, or the one it was made by. */
  StaticExecutor owner() {
    return owner;
  }

  /** Whether its pools are gone. */
  public boolean isClosed() {
    return owner.closed;
  }

  /** Frees the pools, if they are its own. */
  @Override
  public void close() {
    if (owner == this) {
      closed = true;
      pools.forEach(allocator::free);
    }
  }
}
