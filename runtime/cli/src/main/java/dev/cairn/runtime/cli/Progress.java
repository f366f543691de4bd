package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.text.EscapedText;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows that long work goes on, to a person at a terminal and to nobody else. */
final class Progress {
  private final boolean shown;

  Progress(boolean shown) {
    this.shown = shown;
  }

  /** Does one piece of work whose length is not known. */
  <T> T during(String what, Supplier<T> work) {
    if (!shown) {
      return work.get();
    }
    try (ProgressBar bar = bar(what, -1)) {
      bar.refresh();
      return work.get();
    }
  }

  /** Does something a number of times. */
  void repeat(String what, int times, Runnable work) {
    if (!shown) {
      for (int i = 0; i < times; i++) {
        work.run();
      }
      return;
    }
    try (ProgressBar bar = bar(what, times)) {
      for (int i = 0; i < times; i++) {
        work.run();
        bar.step();
      }
    }
  }

  /** Work in many parts, done by any threads; told part by part, and closed when it is over. */
  interface Ticks extends AutoCloseable {
    void tick();

    @Override
    void close();
  }

  /** @param most how many parts, or negative when that is not known */
  Ticks ticks(String what, long most) {
    return shown ? new ShownTicks(bar(what, most)) : NoTicks.INSTANCE;
  }

  private record ShownTicks(ProgressBar bar) implements Ticks {
    @Override
    public void tick() {
      bar.step();
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  private enum NoTicks implements Ticks {
    INSTANCE;

    @Override
    public void tick() {}

    @Override
    public void close() {}
  }

  private static ProgressBar bar(String what, long steps) {
    return new ProgressBarBuilder().setTaskName(EscapedText.inLine(what)).setInitialMax(steps)
      .setStyle(ProgressBarStyle.ASCII)
      .continuousUpdate()
      .clearDisplayOnFinish().build();
  }
}
