package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.BodyTypes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code Loop} or {@code Scan} of a plan. Each carried value has two places: the result, and one in the workspace.
 * The body is bound twice, so that even trips read the one and write the other, and odd trips the reverse. Trips ask
 * no allocator for anything.
 */
final class RepeatStep implements ControlStep {
  private final Node node;
  private final ControlKernel.Repeat kernel;
  private final NodeKind.Repeat kind;
  private final KernelCall call;
  /** The body that writes the workspace, and the body that writes the results. */
  private final List<BoundBody> bodies = new ArrayList<>();
  private final TensorView trip;
  private final TensorView goesOn;
  private final TensorView goesOnAfter;
  private final List<TensorView> seconds = new ArrayList<>();
  private final List<TensorView> slices = new ArrayList<>();
  private final List<TensorView> stacked = new ArrayList<>();
  private RunLimit limit = RunLimit.NONE;
  private long offset;

  RepeatStep(Node node, ControlKernel.Repeat kernel, KernelCall call) {
    this.node = node;
    this.kernel = kernel;
    this.kind = kernel.kind();
    this.call = call;
    for (int i = 0; i < 2; i++) {
      bodies.add(new BoundBody(kernel.body(), call, kernel.firstConstant(), call.workspace(), call.stream()));
    }
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
  }

  private TensorView next(TensorType type) {
    MemorySegment memory = call.workspace().asSlice(offset, type.bytes());
    offset += ControlKernel.aligned(type.bytes());
    return new TensorView(type, memory);
  }

  @Override
  public void begin(RunLimit next) {
    limit = next;
    bodies.forEach(body -> body.begin(next));
  }

  @Override
  public void run() {
    long most = mostTrips();
    // A known number of trips ends in the results; else the last values may have to be copied there.
    boolean inResults = kernel.trips().isEmpty() || kernel.trips().getAsLong() % 2 == 0;
    for (int i = 0; i < kind.carried(); i++) {
      place(i, inResults).segment().copyFrom(call.input(2 + i).segment());
    }
    bind(bodies.get(0), true);
    bind(bodies.get(1), false);
    goesOn.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    boolean holds = !call.has(1) || call.input(1).segment().get(ValueLayout.JAVA_BYTE, 0) != 0;
    for (long number = 0; holds && number < most; number++) {
      limit.checkTrip(number);
      holds = trip(number, bodies.get(inResults ? 0 : 1));
      inResults = !inResults;
    }
    for (int i = 0; i < kind.carried() && !inResults; i++) {
      call.output(i).segment().copyFrom(seconds.get(i).segment());
    }
  }

  private TensorView place(int carried, boolean inResults) {
    return inResults ? call.output(carried) : seconds.get(carried);
  }

  private long mostTrips() {
    long most = Long.MAX_VALUE;
    for (int i = 0; i < kind.scanned().size(); i++) {
      TensorView whole = call.input(2 + kind.carried() + i);
      most = whole.shape().extent(BodyTypes.axis(node, kind.scanned().get(i), whole.shape().rank()));
    }
    return call.has(0) ? Math.min(most, call.input(0).longAt(0)) : most;
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
    trip.segment().set(ValueLayout.JAVA_LONG, 0, number);
    for (int i = 0; i < slices.size(); i++) {
      TensorView whole = call.input(2 + kind.carried() + i);
      int axis = BodyTypes.axis(node, kind.scanned().get(i), whole.shape().rank());
      TensorSlices.read(whole, axis, place(kind.scanned().get(i), whole, axis, number), slices.get(i));
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
      TensorSlices.write(whole, axis, place(kind.stacked().get(i), whole, axis, number), stacked.get(i));
    }
    return goesOnAfter.segment().get(ValueLayout.JAVA_BYTE, 0) != 0;
  }

  private static long place(NodeKind.Repeat.Slices slices, TensorView whole, int axis, long trip) {
    return slices.backwards() ? whole.shape().extent(axis) - 1 - trip : trip;
  }

  @Override
  public void close() {
    bodies.forEach(BoundBody::close);
  }
}
