package dev.cairn.runtime.trace.flight;

import org.jspecify.annotations.Nullable;

/** The event of a model that is being read; nothing without a recording. */
public final class LoadRecord implements AutoCloseable {
  private final String file;
  private final @Nullable ModelLoadEvent event;

  LoadRecord(String file, @Nullable ModelLoadEvent event) {
    this.file = file;
    this.event = event;
    if (event != null) {
      event.begin();
    }
  }

  /** @param nodes how many the model has */
  public void read(int nodes) {
    if (event != null) {
      event.nodes = nodes;
    }
  }

  @Override
  public void close() {
    if (event != null) {
      event.file = file;
      event.commit();
    }
  }
}
