package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.executor.replay.Recording;
import dev.cairn.runtime.executor.replay.RunRecorder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of a body one by one the first time, records the second run, and launches the recording from then on.
 * Waits for nothing. Owns the recording.
 */
final class BodyReplay implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BodyReplay.class);

  private final Runnable steps;
  private final RunRecorder recorder;
  private final Stream stream;
  private boolean warm;
  private boolean impossible;
  private @Nullable Recording recording;

  /** @param steps work that only adds to the stream, the same in every run */
  BodyReplay(Runnable steps, RunRecorder recorder, Stream stream) {
    this.steps = steps;
    this.recorder = recorder;
    this.stream = stream;
    this.impossible = !recorder.isAble();
  }

  @Override
  public void run() {
    if (warm && !impossible && recording == null) {
      record();
    }
    warm = true;
    Recording made = recording;
    if (made == null) {
      steps.run();
    } else {
      made.launch();
    }
  }

  private void record() {
    try {
      recording = recorder.record(stream, steps);
    } catch (RuntimeException e) {
      impossible = true;
      LOG.info("cannot record a body, so its steps are launched one by one: reason={}", e.toString());
    }
  }

  @Override
  public void close() {
    if (recording != null) {
      recording.close();
    }
  }
}
