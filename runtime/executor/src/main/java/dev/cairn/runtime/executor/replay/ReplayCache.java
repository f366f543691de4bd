package dev.cairn.runtime.executor.replay;

import dev.cairn.kernels.device.Closing;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The recordings of runs that share one set of pools, and so never run at a time; past the limit, the least recently
 * launched recording goes. A recording holds memory of the device, so they are not kept without end. Not thread-safe;
 * owns the recordings.
 */
public final class ReplayCache implements AutoCloseable {
  /** How many input shapes are kept ready. */
  public static final int MOST = 32;

  private final int most;
  private final LinkedHashMap<Key, Recording> recordings = new LinkedHashMap<>(16, 0.75f, true);
  private final IdentityHashMap<Object, Key> keys = new IdentityHashMap<>();

  /** Compared by identity, whatever {@code equals} of the run says; kept, so that looking one up makes no garbage. */
  private static final class Key {
    private final Object run;

    Key(Object run) {
      this.run = run;
    }
  }

  public ReplayCache(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("a cache that holds nothing: most=" + most);
    }
    this.most = most;
  }

  /** The recording of a run, or null when it has none, or none any more. */
  public @Nullable Recording find(Object run) {
    Key key = keys.get(run);
    return key == null ? null : recordings.get(key);
  }

  /** Keeps the recording of a run that has none here. */
  public void add(Object run, Recording recording) {
    if (keys.containsKey(run)) {
      throw new IllegalStateException("recorded before: run=" + run);
    }
    var key = new Key(run);
    keys.put(run, key);
    recordings.put(key, recording);
    if (recordings.size() > most) {
      var oldest = recordings.pollFirstEntry();
      keys.remove(oldest.getKey().run);
      oldest.getValue().close();
    }
  }

  /** How many are kept. */
  public int size() {
    return recordings.size();
  }

  @Override
  public void close() {
    var closing = new Closing();
    recordings.values().forEach(it -> closing.end(it::close));
    recordings.clear();
    keys.clear();
    closing.throwFailure();
  }
}
