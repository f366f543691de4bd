package dev.cairn.runtime.session;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.compile.RecomputeChoices;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.VariablesOutside;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.parts.PartsPlan;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Compiles models as a session on a device would, to say what a run will need. It loads no weights and runs no
 * kernels, except to measure convolutions. Owns the device until closed. Not thread-safe.
 */
public final class ModelCompiler implements AutoCloseable {
  private final Backends.MemorySource memory = Backends.MemorySource.of(new NettySubAllocator());
  private final CpuDevice host = CpuDevice.ofAllProcessors();
  private final Map<String, TensorView> values;
  private final DeviceOptions wanted;
  private final int threads;
  private final OperatorRegistry operators;
  private final SessionOptions options;
  private Backend backend;
  private boolean isSettled;

  private ModelCompiler(SessionOptions options, Map<String, TensorView> values) {
    this.values = Map.copyOf(values);
    this.wanted = options.deviceForPlans();
    this.threads = options.threadsOfKernel();
    this.operators = options.operators();
    this.options = options;
    try {
      this.backend = Backends.open(wanted, threads, memory);
    } catch (RuntimeException | Error e) {
      host.close();
      throw e;
    }
  }

  /**
   * Opens the device that a session with these options would use, with as many threads: what kernels need beside
   * their results may depend on them.
   *
   * @throws dev.cairn.kernels.cuda.load.CudaUnavailable when the options require a GPU and there is none
   */
  public static ModelCompiler open(SessionOptions options) {
    return open(options, Map.of());
  }

  /**
   * Like {@link #open(SessionOptions)}, for models in which values of inputs decide shapes.
   *
   * @param values of inputs, by name; only values that decide shapes are used
   */
  public static ModelCompiler open(SessionOptions options, Map<String, TensorView> values) {
    return new ModelCompiler(options, values);
  }

  /**
   * Compiles a graph like {@link Compiler#compile}. With device {@code auto}, if the GPU lacks kernels for the first
   * model, the processor serves this and later models, as it does for a session.
   *
   * @param inputs the type of each of the graph's inputs, by name
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   * @throws UnsupportedOperators when the device has no kernel for a node's types; lists all such nodes
   * @throws ValueDependentShape when a shape depends on a value that is not given
   */
  public CompiledGraph compile(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    var binding = new Binding(graph, inputs);
    while (true) {
      try {
        CompiledGraph compiled = compiler().compile(binding.graph(), inputs, limited(options));
        isSettled = true;
        return compiled;
      } catch (ValueDependentShape e) {
        binding.add(e);
      } catch (UnsupportedOperators e) {
        replaceDevice(e);
      }
    }
  }

  /**
   * The choices of recomputation of a model: its steps, their values and costs. It throws as {@link #compile} does.
   */
  public RecomputeChoices recomputation(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    var binding = new Binding(graph, inputs);
    while (true) {
      try {
        RecomputeChoices choices = compiler().choices(binding.graph(), inputs, limited(options));
        isSettled = true;
        return choices;
      } catch (ValueDependentShape e) {
        binding.add(e);
      } catch (UnsupportedOperators e) {
        replaceDevice(e);
      }
    }
  }

  /** A graph, with the values of those inputs as constants of which the compiler found that they decide shapes. */
  private final class Binding {
    private final Graph whole;
    private final Map<String, TensorType> inputs;
    private final ShapeValues shapeValues = new ShapeValues();

    Binding(Graph graph, Map<String, TensorType> inputs) {
      this.whole = operators.inlined(graph);
      this.inputs = inputs;
    }

    Graph graph() {
      return shapeValues.key(inputs, name -> PlanKey.bytes(Objects.requireNonNull(values.get(name)).segment())).bound(
        whole);
    }

    /** Adds the inputs that decide a shape; throws the refusal again if their values are not known, or too many. */
    void add(ValueDependentShape refusal) {
      if (!ShapeValues.areSmall(refusal.inputs(), inputs)) {
        throw refusal.decidedBy(Set.of()); // no plan is made for so many values
      }
      if (!values.keySet().containsAll(refusal.inputs()) || !shapeValues.add(refusal.inputs(), inputs)) {
        throw refusal;
      }
    }
  }

  /** Opens the processor instead of a GPU that lacks kernels for the first model; else throws the lack again. */
  private void replaceDevice(UnsupportedOperators lack) {
    if (isSettled) {
      throw lack;
    }
    Backend other = Backends.insteadOf(backend, wanted, lack, threads, memory);
    backend.close();
    backend = other;
  }

  /**
   * Cuts a graph that {@link #compile} refuses, and plans its parts, as a session does where {@link #runsParts}.
   *
   * @param inputs the type of each of the graph's inputs, by name
   * @throws dev.cairn.runtime.graph.InvalidGraph when the graph breaks a rule for these shapes
   * @throws UnsupportedOperators when the device has no kernel for a node's types
   */
  public PartsPlan parts(Graph graph, Map<String, TensorType> inputs, CompileOptions options) {
    VariablesOutside outside = VariablesOutside.of(operators.inlined(graph));
    Map<String, TensorType> types = new HashMap<>(inputs);
    for (Node variable : outside.variables()) {
      if (variable.kind() instanceof NodeKind.Variable(TensorView initial)) {
        types.put(variable.name(), initial.type());
      }
    }
    return PartsPlan.of(outside.graph(), types, compiler(), limited(options));
  }

  /** Whether a session runs graphs without a plan in parts on this device; else, the processor serves instead. */
  public boolean runsParts() {
    return isHost() || !wanted.mayFallBack();
  }

  private CompileOptions limited(CompileOptions wanted) {
    return options.withCompile(wanted).withLimitedPlans().compile();
  }

  private Compiler compiler() {
    return new Compiler(operators.table(), backend.catalog(operators), operators.onHost(backend.hostCatalog()), host
      .defaultStream()).withBoundResults(isHost());
  }

  /** Whether kernels use host memory. Then runs read inputs in place, and results count as the session's memory. */
  public boolean isHost() {
    return backend.target().isHost();
  }

  /** A description of the device that would run the model. */
  public String device() {
    return backend.description();
  }

  /** Why this device was chosen, as text. */
  public String deviceReason() {
    return backend.reason();
  }

  /** The kernels of the device. */
  public KernelCatalog catalog() {
    return backend.catalog();
  }

  /** Which kernels serve, for people. */
  public String kernels() {
    return backend.kernels();
  }

  @Override
  public void close() {
    try (host) {
      backend.close();
    }
  }
}
