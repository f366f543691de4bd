package dev.cairn.runtime.trace.flight;

import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedStep;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records one run. What was on when the run was asked for is told of all of it. */
final class FlightObserver implements RunObserver {
  private final TracedGraph graph;
  private final boolean tellsKernels = KernelEvent.isOn();
  private final boolean tellsCopies = CopyEvent.isOn();
  private final RunEvent run = new RunEvent();
  private final long askedNanos = System.nanoTime();
  private final KernelEvent[] kernels;
  private CopyEvent copy = new CopyEvent();
  private @Nullable TracedStep foundStep;
  private @Nullable TracedCopy foundCopy;

  FlightObserver(TracedGraph graph) {
    this.graph = graph;
    this.kernels = new KernelEvent[tellsKernels ? graph.streams() : 0];
    run.begin();
  }

  @Override
  public void admitted() {
    run.waitedNanos = System.nanoTime() - askedNanos;
  }

  @Override
  public void stepBegan(int step, int stream) {
    if (tellsKernels) {
      var event = new KernelEvent();
      kernels[stream] = event;
      event.begin();
    }
  }

  @Override
  public void stepFound(int step, TracedStep found) {
    foundStep = found;
  }

  @Override
  public void stepEnded(int step, int stream) {
    if (tellsKernels) {
      KernelEvent event = kernels[stream];
      event.end();
      if (event.shouldCommit()) {
        event.model = graph.name();
        event.step = step;
        event.stream = stream;
        event.of(Objects.requireNonNullElse(foundStep, graph.steps().get(step)));
        event.commit();
      }
      foundStep = null;
    }
  }

  @Override
  public void copyBegan(int index) {
    if (tellsCopies) {
      copy = new CopyEvent();
      copy.begin();
    }
  }

  @Override
  public void copyFound(int index, TracedCopy found) {
    foundCopy = found;
  }

  @Override
  public void copyEnded(int index) {
    if (tellsCopies) {
      copy.end();
      if (copy.shouldCommit()) {
        TracedCopy known = Objects.requireNonNullElse(foundCopy, graph.copies().get(index));
        copy.model = graph.name();
        copy.tensor = known.tensor();
        copy.type = known.type();
        copy.bytes = known.bytes();
        copy.commit();
      }
      foundCopy = null;
    }
  }

  @Override
  public void ended(boolean failed) {
    run.end();
    if (run.shouldCommit()) {
      run.model = graph.name();
      run.steps = graph.steps().size();
      run.planBytes = graph.planBytes();
      run.failed = failed;
      run.commit();
    }
  }
}
