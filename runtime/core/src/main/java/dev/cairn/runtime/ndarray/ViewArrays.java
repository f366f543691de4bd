package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Arrays for the views of one call of a kernel, which threads keep for their next call. For one thread. */
final class ViewArrays {
  /** Calls with more views have arrays of their own. */
  private static final int MOST = 4;
  private static final ThreadLocal<@Nullable ViewArrays> SPARE = new ThreadLocal<>();

  private final @Nullable TensorView[][] reads = new TensorView[MOST + 1][];
  private final @Nullable TensorView[][] writes = new TensorView[MOST + 1][];
  private @Nullable TensorView @Nullable [] read;
  private @Nullable TensorView @Nullable [] written;

  private ViewArrays() {
    for (int i = 0; i <= MOST; i++) {
      reads[i] = new TensorView[i];
      writes[i] = new TensorView[i];
    }
  }

  /** This thread's, until {@link #giveBack}; others for a call inside a call. */
  static ViewArrays take() {
    ViewArrays spare = SPARE.get();
    if (spare == null) {
      return new ViewArrays();
    }
    SPARE.set(null);
    return spare;
  }

  @Nullable
  TensorView[] read(int count) {
    read = count <= MOST ? reads[count] : new TensorView[count];
    return read;
  }

  /** To be filled with the views of results. */
  @SuppressWarnings("NullAway")
  TensorView[] written(int count) {
    written = count <= MOST ? writes[count] : new TensorView[count];
    return written;
  }

  /** Forgets the views. */
  void giveBack() {
    if (read != null) {
      Arrays.fill(read, null);
    }
    if (written != null) {
      Arrays.fill(written, null);
    }
    read = null;
    written = null;
    SPARE.set(this);
  }
}
