package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A bulk, one operation of which fills the heap to the last byte; for {@link FullHeapTest}. */
final class BulkInAFullHeap {
  private static final CountDownLatch END = new CountDownLatch(1);
  private static volatile @Nullable Object kept;
  private static volatile boolean behindRan;

  private BulkInAFullHeap() {}

  public static void main(String[] arguments) throws InterruptedException {
    Engine engine = Engine.open(EngineOptions.DEFAULT);
    List<Variable> four = Stream.of("before", "fills", "skipped", "behind").map(engine::newVariable).toList();
    // All that it does has been done once before.
    bulk(engine, four, () -> {}, () -> {});
    engine.waitForAll();
    behindRan = false;
    bulk(engine, four, BulkInAFullHeap::fill, END::countDown);
    END.await();
    kept = null;
    System.out.println("last ran=true");
    for (Variable variable : four) {
      System.out.println(variable.name() + ": " + stateOf(engine, variable) + " ran=" + behindRan);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void bulk(Engine engine, List<Variable> four, Runnable fill, Runnable last) {
    try (Engine.Bulk bulk = engine.bulk(5)) {
      assert bulk != null;
      engine.push(Operation.of("before", Footprint.writing(four.get(0)), () -> {}));
      engine.push(Operation.of("fills", Footprint.writing(four.get(1)), fill));
      engine.push(Operation.of("skipped", Footprint.of(four.subList(1, 2), four.subList(2, 3)), () -> {}));
      engine.push(Operation.of("behind", Footprint.writing(four.get(3)), () -> behindRan = true));
      engine.push(Operation.of("last", Footprint.NONE, last));
    }
  }

  private static String stateOf(Engine engine, Variable variable) {
    try {
      engine.waitForVariable(variable);
      return "fine";
    } catch (OperationFailed e) {
      return "failed";
    }
  }

  private static void fill() {
    for (int length = 1 << 20; length > 1; length /= 2) {
      try {
        fill(length);
      } catch (OutOfMemoryError e) {
        // There is room for smaller ones.
      }
    }
    fill(1);
  }

  private static void fill(int length) {
    while (true) {
      var more = new Object[length];
      more[0] = kept;
      kept = more;
    }
  }
}
