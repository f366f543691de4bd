package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.invoke.Dispatch;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The call of a kernel and arrays for its views, which threads keep for their next calls. For one thread. */
final class ViewArrays {
  /** Calls with more views have arrays of their own. */
  private static final int MOST = 4;
  /** Weak, since a thread may outlive the runtimes of its calls, and the class loader of this class. */
  private static final ThreadLocal<@Nullable WeakReference<ViewArrays>> SPARE = new ThreadLocal<>();
  private static final @Nullable TensorView[] NONE = {};

  private final @Nullable TensorView[][] reads = new TensorView[MOST + 1][];
  private final @Nullable TensorView[][] writes = new TensorView[MOST + 1][];
  /** By the numbers of views that are read and written. */
  private final @Nullable KernelCall[][] calls = new KernelCall[MOST + 1][MOST + 1];
  private final WeakReference<ViewArrays> weak = new WeakReference<>(this);
  private boolean isTaken = true;
  private @Nullable TensorView[] read = NONE;
  private @Nullable TensorView[] written = NONE;

  private ViewArrays() {
    for (int i = 0; i <= MOST; i++) {
      reads[i] = new TensorView[i];
      writes[i] = new TensorView[i];
    }
  }

  /** This thread's, until {@link #giveBack}; others for a call inside a call. */
  static ViewArrays take() {
    WeakReference<ViewArrays> kept = SPARE.get();
    ViewArrays spare = kept == null ? null : kept.get();
    if (spare == null || spare.isTaken) {
      return new ViewArrays();
    }
    spare.isTaken = true;
    return spare;
  }

  /** To be filled with the views of operands. */
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

  /** A call of the kernel over the views, until {@link #giveBack}. */
  KernelCall call(Dispatch.Compute dispatch, MemorySegment workspace, Stream stream) {
    Attributes attributes = dispatch.signature().attributes();
    boolean isKept = read.length <= MOST && written.length <= MOST;
    KernelCall known = isKept ? calls[read.length][written.length] : null;
    if (known != null) {
      known.become(attributes, workspace, stream);
      return known;
    }
    KernelCall made = KernelCall.over(read, written, attributes, workspace, stream);
    if (isKept) {
      calls[read.length][written.length] = made;
    }
    return made;
  }

  /** Forgets the views. */
  void giveBack() {
    Arrays.fill(read, null);
    Arrays.fill(written, null);
    isTaken = false;
    SPARE.set(weak);
  }
}
