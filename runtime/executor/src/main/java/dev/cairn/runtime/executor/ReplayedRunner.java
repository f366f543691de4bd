package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.executor.replay.Recording;
import dev.cairn.runtime.executor.replay.ReplayCache;
import dev.cairn.runtime.executor.replay.RunRecorder;
import dev.cairn.runtime.trace.RunObserver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps one by one the first time, records the second run, and repeats the recording from then on. A graph
 * that cannot be recorded always runs step by step, as does a run that has an observer. A repeated run asks its limit
 * once, before it begins.
 */
final class ReplayedRunner implements StepRunner {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayedRunner.class);

  private final StepRunner steps;
  private final RunRecorder recorder;
  private final ReplayCache cache;
  private final Stream stream;
  private final Staging staging;
  private boolean warm;
  private boolean impossible;

  /**
   * @param steps all of whose work begins and ends on the stream
   * @param cache of the pools that the steps run in
   * @param staging copies that are no part of a recording
   */
  ReplayedRunner(StepRunner steps, RunRecorder recorder, ReplayCache cache, Stream stream, Staging staging) {
    this.steps = steps;
    this.recorder = recorder;
    this.cache = cache;
    this.stream = stream;
    this.staging = staging;
  }

  @Override
  public void run(RunLimit limit, RunObserver observer) {
    if (!warm || impossible || !observer.equals(RunObserver.NONE)) {
      steps.run(limit, observer);
      warm = true;
      return;
    }
    limit.check(0);
    Recording recording = cache.find(this);
    if (recording == null) {
      recording = record();
    }
    if (recording == null) {
      steps.run(limit, observer);
    } else {
      repeat(recording);
    }
  }

  private void repeat(Recording recording) {
    boolean done = false;
    try {
      staging.enqueueInputs(stream);
      recording.launch();
      staging.enqueueResults(stream, RunObserver.NONE);
      done = true;
    } finally {
      if (!done) {
        SerialRunner.awaitQuiet(stream);
      }
    }
    stream.synchronize();
  }

  private @Nullable Recording record() {
    try {
      Recording made = recorder.record(stream, () -> steps.enqueue(RunLimit.NONE, RunObserver.NONE));
      cache.add(this, made);
      return made;
    } catch (RuntimeException e) {
      impossible = true;
      LOG.info("cannot record a run, so its steps are launched one by one: reason={}", e.toString());
      return null;
    }
  }

  @Override
  public void enqueue(RunLimit limit, RunObserver observer) {
    steps.enqueue(limit, observer);
  }
}
