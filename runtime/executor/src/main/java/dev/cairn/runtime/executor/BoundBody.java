package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.ControlKernel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a body, bound to the memory of the step around it. Its inputs and results lie where the caller says: on
 * the host from run to run, on a device once, before {@link #prepare}. A run asks no allocator for anything.
 */
final class BoundBody implements AutoCloseable {
  private final CompiledGraph body;
  private final RunTarget target;
  private final ControlMemory memory;
  private final Stream stream;
  private final Bindings bindings;
  private final @Nullable TensorView[] inputs;
  private final @Nullable TensorView[] results;
  private final boolean[] isBound;
  private boolean changed = true;
  private @Nullable BoundSteps steps;
  private @Nullable BodyReplay replay;

  /**
   * @param call of the step around the body
   * @param firstConstant the call's operand that is the body's first constant
   * @param memory of that step
   */
  BoundBody(CompiledGraph body, KernelCall call, int firstConstant, RunTarget target, ControlMemory memory) {
    this.body = body;
    this.target = target;
    this.memory = memory;
    this.stream = call.stream();
    List<TensorView> constants = new ArrayList<>();
    for (int i = 0; i < body.storage().constants().size(); i++) {
      constants.add(call.input(firstConstant + i));
    }
    List<MemorySegment> pools = new ArrayList<>();
    long offset = 0;
    for (var pool : body.plan().pools()) {
      pools.add(call.workspace().asSlice(offset, pool.bytes()));
      offset += ControlKernel.aligned(pool.bytes());
    }
    this.bindings = new Bindings(body, constants, List.of(), pools, List.of(), new ExecutorStreams(stream));
    this.inputs = new TensorView[body.graph().graph().inputs().size()];
    this.results = new TensorView[body.graph().graph().outputs().size()];
    this.isBound = new boolean[results.length];
    for (int i = 0; i < isBound.length; i++) {
      isBound[i] = bindings.isBound(i);
    }
  }

  /** Prepares the kernel calls. On a device, all inputs and results must be bound, and stay so. */
  void prepare() {
    if (!target.isHost()) {
      bindAll();
    }
    BoundSteps made = new BoundSteps(body, bindings, target);
    steps = made;
    if (!target.isHost() && !made.runsBodies()) {
      replay = new BodyReplay(() -> runSteps(made), target.recorder(), stream);
    }
  }

  private BoundSteps steps() {
    BoundSteps made = steps;
    if (made == null) {
      throw new AssertionError("the body is not prepared");
    }
    return made;
  }

  void begin(RunLimit limit) {
    steps().begin(limit);
  }

  /** Binds an input for the next runs. */
  @SuppressWarnings("ReferenceEquality")
  void bindInput(int index, TensorView view) {
    if (inputs[index] != view) {
      inputs[index] = view;
      changed = true;
    }
  }

  /** Binds a result for the next runs. */
  @SuppressWarnings("ReferenceEquality")
  void bindResult(int index, TensorView view) {
    if (results[index] != view) {
      results[index] = view;
      changed = true;
    }
  }

  void run() {
    if (changed) {
      bindAll();
    }
    BodyReplay repeated = replay;
    if (repeated == null) {
      runSteps(steps());
    } else {
      repeated.run();
    }
  }

  private void bindAll() {
    if (steps != null && !target.isHost()) {
      throw new AssertionError("a body on a device is bound once");
    }
    bindings.bind(located(inputs), located(results));
    changed = false;
  }

  private void runSteps(BoundSteps made) {
    for (int step = 0; step < made.size(); step++) {
      made.run(step);
    }
    for (int i = 0; i < isBound.length; i++) {
      TensorView result = results[i];
      if (!isBound[i] && result != null) {
        memory.copy(result.segment(), bindings.output(i).segment());
      }
    }
  }

  private static List<LocatedView> located(@Nullable TensorView[] views) {
    List<LocatedView> located = new ArrayList<>();
    for (TensorView view : views) {
      if (view == null) {
        throw new AssertionError("an input or result of a body is not bound");
      }
      located.add(LocatedView.onHost(view));
    }
    return located;
  }

  @Override
  public void close() {
    if (replay != null) {
      replay.close();
    }
    if (steps != null) {
      steps.close();
    }
  }
}
