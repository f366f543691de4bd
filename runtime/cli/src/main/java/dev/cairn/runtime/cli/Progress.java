package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.text.EscapedText;
import dev.cairn.runtime.cli.text.StatusLine;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Shows on a terminal that long work goes on, in one {@link StatusLine} that is erased when the work is over. */
final class Progress {
  private final boolean shown;

  Progress(boolean shown) {
    this.shown = shown;
  }

  /** Does one piece of work whose length is not known. */
  <T> T during(String what, Supplier<T> work) {
    try (Ticks _ = ticks(what, -1)) {
      return work.get();
    }
  }

  /** Does something a number of times. */
  void repeat(String what, int times, Runnable work) {
    try (Ticks ticks = ticks(what, times)) {
      for (int i = 0; i < times; i++) {
        work.run();
        ticks.tick();
      }
    }
  }

  /** Work in many parts, done by any threads; reported part by part, and closed when it is over. */
  interface Ticks extends AutoCloseable {
    void tick();

    @Override
    void close();
  }

  /** @param most how many parts, or negative when that is not known */
  Ticks ticks(String what, long most) {
    return shown ? new ShownTicks(what, most) : NoTicks.INSTANCE;
  }

  /** Draws four times a second, on a thread of its own. Work that ends at once is not drawn. */
  private static final class ShownTicks implements Ticks {
    private static final long PERIOD_MILLIS = 250;
    private static final int BAR = 10;
    private static final int MOST_LETTERS = 22;

    private final String what;
    private final long most;
    private final LongAdder done = new LongAdder();
    private final CountDownLatch over = new CountDownLatch(1);
    private final long began = System.nanoTime();
    private final Thread drawer;

    ShownTicks(String what, long most) {
      String line = EscapedText.inLine(what);
      this.what = line.length() > MOST_LETTERS ? line.substring(0, MOST_LETTERS - 3) + "..." : line;
      this.most = most;
      this.drawer = Thread.ofPlatform().daemon().name("cairn-progress").start(this::draw);
    }

    private void draw() {
      try {
        while (!over.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
          StatusLine.show(line());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      StatusLine.erase();
    }

    private String line() {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
      long parts = Math.min(done.sum(), Math.max(0, most));
      if (most > 0) {
        int filled = (int) (BAR * parts / most);
        return "%s [%s%s] %d %% %d s".formatted(what, "#".repeat(filled), " ".repeat(BAR - filled), 100 * parts / most,
          seconds);
      }
      return "%s ... %d s".formatted(what, seconds);
    }

    @Override
    public void tick() {
      done.increment();
    }

    @Override
    public void close() {
      over.countDown();
      try {
        drawer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private enum NoTicks implements Ticks {
    INSTANCE;

    @Override
    public void tick() {}

    @Override
    public void close() {}
  }
}
