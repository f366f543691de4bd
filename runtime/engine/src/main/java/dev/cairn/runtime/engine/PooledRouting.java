package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** One pool for all devices, and one thread for copies. Priorities do not matter here. */
final class PooledRouting implements Routing {
  private final LazyGroup all;
  private final LazyGroup copies;

  PooledRouting(EngineOptions options) {
    this.all = LazyGroup.inOrder("cairn-pool", options.threads().pooled(), options.spinNanos());
    this.copies = LazyGroup.inOrder("cairn-copy", 1, options.spinNanos());
  }

  @Override
  public boolean runsOnPusher(FunctionProperty property) {
    return property == FunctionProperty.ASYNC;
  }

  @Override
  public WorkerGroup group(Operation operation, BlockRunner runner) {
    return switch (operation.property()) {
      case COPY_FROM_GPU, COPY_TO_GPU -> copies.get(runner);
      default -> all.get(runner);
    };
  }

  @Override
  public @Nullable WorkerGroup host() {
    return all.made();
  }

  @Override
  public void hurry() {
    all.hurry();
    copies.hurry();
  }

  @Override
  public void stop() {
    all.stop();
    copies.stop();
  }
}
