package dev.cairn.runtime.autograd;

import dev.cairn.kernels.device.ProgramLocal;
import dev.cairn.runtime.ndarray.FollowedCalls;
import org.jspecify.annotations.Nullable;

/** The flags of a thread until this is closed; then they are again what they were (T-1). */
public final class RecordingScope implements AutoCloseable {
  private static final ProgramLocal<RecordingScope> INNERMOST = new ProgramLocal<>();

  private final @Nullable RecordingScope outer;
  private final boolean recording;
  private final boolean training;

  private RecordingScope(@Nullable RecordingScope outer, boolean recording, boolean training) {
    this.outer = outer;
    this.recording = recording;
    this.training = training;
  }

  static RecordingScope open(boolean recording, boolean training) {
    var scope = new RecordingScope(INNERMOST.get(), recording, training);
    set(scope);
    return scope;
  }

  private static void set(@Nullable RecordingScope scope) {
    INNERMOST.set(scope);
    if (!TapeRecorder.isSketching()) {
      FollowedCalls.follow(isRecording() ? TapeRecorder.INSTANCE : null);
    }
  }

  static boolean isRecording() {
    RecordingScope scope = INNERMOST.get();
    return scope != null && scope.recording;
  }

  static boolean isTraining() {
    RecordingScope scope = INNERMOST.get();
    return scope != null && scope.training;
  }

  /** @throws IllegalStateException when it is not the innermost that this thread has open */
  @Override
  @SuppressWarnings("ReferenceEquality")
  public void close() {
    if (INNERMOST.get() != this) {
      throw new IllegalStateException("recording scopes close in reverse, by the thread that opened them");
    }
    set(outer);
  }
}
