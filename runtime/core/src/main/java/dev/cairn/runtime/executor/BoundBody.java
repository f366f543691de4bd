package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.ControlKernel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a body, bound to the memory of the step around it. Its inputs and results lie where the caller says.
 * Asks no allocator for anything.
 */
final class BoundBody implements AutoCloseable {
  private final Bindings bindings;
  private final BoundSteps steps;
  private final @Nullable TensorView[] inputs;
  private final @Nullable TensorView[] results;
  private final boolean[] isBound;
  private boolean changed = true;

  /**
   * @param call of the step around the body
   * @param firstConstant the call's operand that is the body's first constant
   * @param memory as many bytes as the body's plan needs, aligned
   */
  BoundBody(CompiledGraph body, KernelCall call, int firstConstant, MemorySegment memory, Stream stream) {
    List<TensorView> constants = new ArrayList<>();
    for (int i = 0; i < body.storage().constants().size(); i++) {
      constants.add(call.input(firstConstant + i));
    }
    List<MemorySegment> pools = new ArrayList<>();
    long offset = 0;
    for (var pool : body.plan().pools()) {
      pools.add(memory.asSlice(offset, pool.bytes()));
      offset += ControlKernel.aligned(pool.bytes());
    }
    this.bindings = new Bindings(body, constants, List.of(), pools, List.of(), new ExecutorStreams(stream));
    this.inputs = new TensorView[body.graph().graph().inputs().size()];
    this.results = new TensorView[body.graph().graph().outputs().size()];
    this.isBound = new boolean[results.length];
    for (int i = 0; i < isBound.length; i++) {
      isBound[i] = bindings.isBound(i);
    }
    this.steps = new BoundSteps(body, bindings);
  }

  void begin(RunLimit limit) {
    steps.begin(limit);
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
      bindings.bind(located(inputs), located(results));
      changed = false;
    }
    steps.runAll();
    for (int i = 0; i < isBound.length; i++) {
      TensorView result = results[i];
      if (!isBound[i] && result != null) {
        result.segment().copyFrom(bindings.output(i).segment());
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
    steps.close();
  }
}
