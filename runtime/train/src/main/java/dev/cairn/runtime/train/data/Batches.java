package dev.cairn.runtime.train.data;

import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * A data set in batches. With a seed, each epoch has another order, which depends on the seed and the epoch's number
 * alone: so training that resumes in the middle of an epoch sees the same batches. Immutable.
 */
public final class Batches {
  private static final int WORDS_A_ROW = 2;
  private static final long LOW = 0xFFFFFFFFL;

  private final ArrayDataset data;
  private final int size;
  private final Last last;
  private final OptionalLong seed;

  /** How to treat rows that do not fill a batch. */
  public enum Last {
    /** They are a smaller batch. */
    KEEP,
    /** They are left out. */
    DISCARD,
    /** The batch is filled with the first rows of the epoch, which don't count. */
    PAD
  }

  private Batches(ArrayDataset data, int size, Last last, OptionalLong seed) {
    if (size < 1 || data.rows() < 1) {
      throw new IllegalArgumentException("batches and data sets have rows: size=%d rows=%d".formatted(size, data
        .rows()));
    }
    this.data = data;
    this.size = size;
    this.last = last;
    this.seed = seed;
  }

  /** In the order of the rows; the last batch may be smaller. */
  public static Batches of(ArrayDataset data, int size) {
    return new Batches(data, size, Last.KEEP, OptionalLong.empty());
  }

  /** The same in random orders. */
  public Batches shuffled(long other) {
    return new Batches(data, size, last, OptionalLong.of(other));
  }

  public Batches withLast(Last other) {
    return new Batches(data, size, other, seed);
  }

  public int size() {
    return size;
  }

  /** How many batches an epoch has. */
  public int count() {
    return last == Last.DISCARD ? data.rows() / size : Math.ceilDiv(data.rows(), size);
  }

  /** All batches of an epoch. */
  public Iterable<Batch> epoch(long epoch) {
    return epoch(epoch, 0);
  }

  /** The batches of an epoch from one on. */
  public Iterable<Batch> epoch(long epoch, int from) {
    int[] order = order(epoch);
    return () -> new Iterator<>() {
      private int next = from;

      @Override
      public boolean hasNext() {
        return next < count();
      }

      @Override
      public Batch next() {
        if (!hasNext()) {
          throw new NoSuchElementException("an epoch has ended: batches=" + count());
        }
        return batch(order, next++);
      }
    };
  }

  private Batch batch(int[] order, int number) {
    int first = number * size;
    int valid = Math.min(size, order.length - first);
    int[] rows = Arrays.copyOfRange(order, first, first + valid);
    if (last == Last.PAD && valid < size) {
      rows = Arrays.copyOf(rows, size);
      for (int i = valid; i < size; i++) {
        rows[i] = order[(i - valid) % order.length];
      }
    }
    ArrayDataset selected = data.select(rows);
    return new Batch(number, selected.features(), selected.labels(), rows, valid);
  }

  /** Rows sorted by random words; rows of equal words keep their order. */
  private int[] order(long epoch) {
    IntStream rows = IntStream.range(0, data.rows());
    if (seed.isEmpty()) {
      return rows.toArray();
    }
    long[] keys = keys(new PhiloxGenerator(seed.getAsLong(), epoch));
    return rows.boxed().sorted((a, b) -> Long.compareUnsigned(keys[a], keys[b])).mapToInt(Integer::intValue).toArray();
  }

  private long[] keys(PhiloxGenerator generator) {
    long[] keys = new long[data.rows()];
    for (int i = 0; i < keys.length; i++) {
      int[] words = generator.block(i / WORDS_A_ROW);
      int word = WORDS_A_ROW * (i % WORDS_A_ROW);
      keys[i] = (words[word] & LOW) << Integer.SIZE | (words[word + 1] & LOW);
    }
    return keys;
  }
}
