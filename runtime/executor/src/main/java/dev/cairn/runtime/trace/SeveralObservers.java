package dev.cairn.runtime.trace;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several observers as one. An observer that was notified of a beginning is notified of its end, also when another
 * observer throws: the first failure is thrown in the end, and the others are suppressed in it.
 */
record SeveralObservers(List<RunObserver> observers) implements RunObserver {
  SeveralObservers {
    observers = List.copyOf(observers);
  }

  @Override
  public void admitted() {
    observers.forEach(RunObserver::admitted);
  }

  @Override
  public boolean observesSteps() {
    return observers.stream().anyMatch(RunObserver::observesSteps);
  }

  @Override
  public boolean observesMemory() {
    return observers.stream().anyMatch(RunObserver::observesMemory);
  }

  @Override
  public void memoryUsed(int step, MemoryUse use, long address, long bytes) {
    observers.stream().filter(RunObserver::observesMemory).forEach(it -> it.memoryUsed(step, use, address, bytes));
  }

  @Override
  public void stepBegan(int step, int stream) {
    begin(it -> it.stepBegan(step, stream), it -> it.stepEnded(step, stream));
  }

  @Override
  public void stepFound(int step, TracedStep found) {
    observers.forEach(it -> it.stepFound(step, found));
  }

  @Override
  public void stepEnded(int step, int stream) {
    end(observers.size(), it -> it.stepEnded(step, stream), null);
  }

  @Override
  public void copyBegan(int output) {
    begin(it -> it.copyBegan(output), it -> it.copyEnded(output));
  }

  @Override
  public void copyFound(int output, TracedCopy found) {
    observers.forEach(it -> it.copyFound(output, found));
  }

  @Override
  public void copyEnded(int output) {
    end(observers.size(), it -> it.copyEnded(output), null);
  }

  @Override
  public void ended(boolean failed) {
    end(observers.size(), it -> it.ended(failed), null);
  }

  private void begin(Consumer<RunObserver> beginning, Consumer<RunObserver> end) {
    for (int i = 0; i < observers.size(); i++) {
      try {
        beginning.accept(observers.get(i));
      } catch (RuntimeException | Error e) {
        end(i, end, e);
      }
    }
  }

  /** Notifies the first {@code count}, the last of them first; throws the first failure. */
  private void end(int count, Consumer<RunObserver> end, @Nullable Throwable before) {
    Throwable failure = before;
    for (int i = count - 1; i >= 0; i--) {
      try {
        end.accept(observers.get(i));
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else if (!failure.equals(e)) {
          failure.addSuppressed(e);
        }
      }
    }
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new AssertionError("observers cannot throw this", e);
    }
  }
}
