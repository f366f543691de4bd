package dev.cairn.runtime.resource;

import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;

/**
 * A seed, and the number of the next draw (W-3). Each use of random numbers takes one draw; element {@code i} of its
 * result depends on seed, draw and {@code i} alone. Thread-safe.
 */
public final class RandomState {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long seed;
  private long nextDraw;

  public RandomState(long seed) {
    this.seed = seed;
  }

  /** A state that continues where {@link #save} was called. */
  public static RandomState restored(long[] saved) {
    if (saved.length != 2) {
      throw new IllegalArgumentException("seed and next draw are wanted: numbers=" + saved.length);
    }
    var state = new RandomState(saved[0]);
    state.nextDraw = saved[1];
    return state;
  }

  /** Starts again at the first draw of another seed. */
  public synchronized void seed(long other) {
    seed = other;
    nextDraw = 0;
  }

  /** The seed and the number of the next draw, for {@link #restored}. */
  public synchronized long[] save() {
    return new long[] {seed, nextDraw};
  }

  /** Takes the next draw, as random operators read it: {@code int64[2]}, the seed and the number of the draw. */
  public TensorView draw() {
    return draws(1);
  }

  /** Takes several draws: as {@link #draw}, with the number of the first. */
  public synchronized TensorView draws(int count) {
    long first = nextDraw;
    nextDraw += count;
    return TensorView.ofLongs(seed, first);
  }

  /** States with seeds of their own, such as one for each replica of a model; takes one draw. */
  public synchronized List<RandomState> split(int count) {
    long base = mixed(seed + GOLDEN * ++nextDraw);
    List<RandomState> states = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      states.add(new RandomState(mixed(base + GOLDEN * i)));
    }
    return List.copyOf(states);
  }

  /** The finalizer of SplitMix64, after G. Steele and others (2014). */
  private static long mixed(long bits) {
    long once = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    long twice = (once ^ (once >>> 27)) * 0x94D049BB133111EBL;
    return twice ^ (twice >>> 31);
  }
}
