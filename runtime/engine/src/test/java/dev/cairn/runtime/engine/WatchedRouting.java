package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.worker.BlockTaker;
import dev.cairn.runtime.engine.worker.Routing;
import dev.cairn.runtime.engine.worker.WorkerGroup;
import org.jspecify.annotations.Nullable;

/** Another routing, which tells a test what the engine asks of it. */
final class WatchedRouting implements Routing {
  private final Routing usual;
  private volatile Runnable onHurry = () -> {};
  private volatile Runnable onStop = () -> {};

  WatchedRouting(Routing usual) {
    this.usual = usual;
  }

  /** What an engine of this kind has. */
  static WatchedRouting of(EngineOptions options) {
    return new WatchedRouting(new DeviceRouting(options));
  }

  /** Called by a waiting thread when it runs no more operations itself and its awaited operation has not ended. */
  void onHurry(Runnable action) {
    onHurry = action;
  }

  /** Called by a thread that stops the engine, when everything has ended and the threads have not. */
  void onStop(Runnable action) {
    onStop = action;
  }

  @Override
  public boolean runsOnPusher(FunctionProperty property) {
    return usual.runsOnPusher(property);
  }

  @Override
  public WorkerGroup group(Operation operation, BlockTaker taker) {
    return usual.group(operation, taker);
  }

  @Override
  public @Nullable WorkerGroup host() {
    return usual.host();
  }

  @Override
  public void hurry() {
    onHurry.run();
    usual.hurry();
  }

  @Override
  public void stop() {
    onStop.run();
    usual.stop();
  }
}
