package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.BodyTypes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code Loop} or {@code Scan} of a plan. Each carried value has two places: the result, and one in the workspace.
 * The body is bound twice, so that even trips read the one and write the other, and odd trips the reverse. Trips ask
 * no allocator for anything. On a device the host waits for the body's condition after each trip, where it may end the
 * loop; else trips are only queued.
 */
final class RepeatStep implements ControlStep {
  private final Node node;
  private final ControlKernel.Repeat kernel;
  private final NodeKind.Repeat kind;
  private final KernelCall call;
  private final ControlMemory memory;
  /** The body that writes the workspace, and the body that writes the results. */
  private final List<BoundBody> bodies = new ArrayList<>();
  private final TensorView trip;
  private final TensorView goesOn;
  private final TensorView goesOnAfter;
  private final List<TensorView> seconds = new ArrayList<>();
  private final List<TensorView> slices = new ArrayList<>();
  private final List<TensorView> stacked = new ArrayList<>();
  private final boolean mayEnd;
  private final TensorSlices.Copy copy;
  private RunLimit limit = RunLimit.NONE;
  private long offset;

  RepeatStep(Node node, ControlKernel.Repeat kernel, KernelCall call, RunTarget target) {
    this.node = node;
    this.kernel = kernel;
    this.kind = kernel.kind();
    this.call = call;
    offset = kernel.bodyBytes();
    trip = next(kernel.parameters().get(0));
    goesOn = next(kernel.parameters().get(1));
    goesOnAfter = next(kernel.sliceType(0));
    for (int i = 0; i < kind.carried(); i++) {
      seconds.add(next(kernel.parameters().get(2 + i)));
    }
    for (int i = 0; i < kind.scanned().size(); i++) {
      slices.add(next(kernel.parameters().get(2 + kind.carried() + i)));
    }
    for (int i = 0; i < kind.stacked().size(); i++) {
      stacked.add(next(kernel.sliceType(1 + kind.carried() + i)));
    }
    mayEnd = !kernel.goesOnAlways();
    memory = ControlMemory.of(target, call.stream());
    copy = memory::copy;
    try {
      prepare(target);
    } catch (RuntimeException | Error e) {
      try {
        close();
      } catch (RuntimeException | Error later) {
        RunFailure.suppress(e, later);
      }
      throw e;
    }
  }

  private void prepare(RunTarget target) {
    if (!target.isHost() && kernel.hasPackedSlices()) {
      throw new IllegalArgumentException("slices of elements smaller than a byte are copied on cpu only");
    }
    for (int i = 0; i < 2; i++) {
      BoundBody body = new BoundBody(kernel.body(), call, kernel.firstConstant(), target, memory);
      bodies.add(body);
      if (!target.isHost()) {
        bind(body, i == 0);
      }
      body.prepare();
    }
  }

  private TensorView next(TensorType type) {
    MemorySegment bytes = call.workspace().asSlice(offset, type.bytes());
    offset += ControlKernel.aligned(type.bytes());
    return new TensorView(type, bytes);
  }

  @Override
  public void begin(RunLimit next) {
    limit = next;
    bodies.forEach(body -> body.begin(next));
  }

  @Override
  public void run() {
    // With a known number of trips, the last trip writes the results. Otherwise the last values may have to be copied
    // there.
    boolean inResults = kernel.trips().isEmpty() || kernel.trips().getAsLong() % 2 == 0;
    for (int i = 0; i < kind.carried(); i++) {
      memory.copy(place(i, inResults).segment(), call.input(2 + i).segment());
    }
    bind(bodies.get(0), true);
    bind(bodies.get(1), false);
    memory.setFlag(goesOn, true);
    long most = mostTrips();
    for (long number = 0; number < most; number++) {
      limit.checkTrip(number);
      boolean holds = trip(number, bodies.get(inResults ? 0 : 1));
      inResults = !inResults;
      if (!holds) {
        break;
      }
    }
    for (int i = 0; i < kind.carried() && !inResults; i++) {
      memory.copy(call.output(i).segment(), seconds.get(i).segment());
    }
  }

  private TensorView place(int carried, boolean inResults) {
    return inResults ? call.output(carried) : seconds.get(carried);
  }

  /** The trips that operands allow: none where the condition does not hold at the start. */
  private long mostTrips() {
    if (kernel.trips().isPresent()) {
      return kernel.trips().getAsLong();
    }
    long most = Long.MAX_VALUE;
    for (int i = 0; i < kind.scanned().size(); i++) {
      TensorView whole = call.input(2 + kind.carried() + i);
      most = whole.shape().extent(BodyTypes.axis(node, kind.scanned().get(i), whole.shape().rank()));
    }
    for (int slot = 0; slot < ControlMemory.SLOTS; slot++) {
      if (call.has(slot)) {
        memory.fetch(slot, call.input(slot));
      }
    }
    if (call.has(0) || call.has(1)) {
      memory.await();
    }
    if (call.has(1) && !memory.flag(1)) {
      return 0;
    }
    return call.has(0) ? Math.min(most, memory.number(0)) : most;
  }

  /** @param fromResults whether the body reads carried values from the results and writes the workspace */
  private void bind(BoundBody body, boolean fromResults) {
    int input = 0;
    body.bindInput(input++, trip);
    body.bindInput(input++, goesOn);
    body.bindResult(0, goesOnAfter);
    for (int i = 0; i < kind.carried(); i++) {
      body.bindInput(input++, place(i, fromResults));
      body.bindResult(1 + i, place(i, !fromResults));
    }
    for (TensorView slice : slices) {
      body.bindInput(input++, slice);
    }
    for (int i = kind.firstCapture(); i < kernel.firstConstant(); i++) {
      body.bindInput(input++, call.input(i));
    }
    for (int i = 0; i < stacked.size(); i++) {
      body.bindResult(1 + kind.carried() + i, stacked.get(i));
    }
  }

  /** Whether the loop goes on after this trip. */
  private boolean trip(long number, BoundBody body) {
    memory.setNumber(trip, number);
    for (int i = 0; i < slices.size(); i++) {
      TensorView whole = call.input(2 + kind.carried() + i);
      int axis = BodyTypes.axis(node, kind.scanned().get(i), whole.shape().rank());
      TensorSlices.read(whole, axis, place(kind.scanned().get(i), whole, axis, number), slices.get(i), copy);
    }
    try {
      body.run();
    } catch (StepFailed e) {
      throw e.inTrip(node.name(), number);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s loop=%s trip=%d".formatted(e.getMessage(), node.name(), number), e);
    }
    for (int i = 0; i < stacked.size(); i++) {
      TensorView whole = call.output(kind.carried() + i);
      int axis = BodyTypes.axis(node, kind.stacked().get(i), whole.shape().rank());
      TensorSlices.write(whole, axis, place(kind.stacked().get(i), whole, axis, number), stacked.get(i), copy);
    }
    if (!mayEnd) {
      return true;
    }
    memory.fetch(0, goesOnAfter);
    memory.await();
    return memory.flag(0);
  }

  private static long place(NodeKind.Repeat.Slices slices, TensorView whole, int axis, long trip) {
    return slices.backwards() ? whole.shape().extent(axis) - 1 - trip : trip;
  }

  @Override
  public void close() {
    bodies.forEach(BoundBody::close);
    memory.close();
  }
}
