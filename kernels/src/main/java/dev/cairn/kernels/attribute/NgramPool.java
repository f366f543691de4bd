package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The n-grams of a {@code TfIdfVectorizer}, parsed from its attributes.
 *
 * @param columns by n-gram, the column of the result that counts it
 * @param width how many columns a result has
 * @param shortest the least length of the n-grams that are counted
 * @param longest the greatest length of the n-grams that are counted
 * @param skips how many elements may lie between two neighbours of an n-gram
 * @param weights by column; empty where none are given
 */
public record NgramPool(Map<List<Object>, Integer> columns, int width, int shortest, int longest, int skips,
  List<Float> weights) {
  public NgramPool {
    columns = Map.copyOf(columns);
    weights = List.copyOf(weights);
  }

  /** @throws IllegalArgumentException when the attributes contradict each other */
  public static NgramPool of(Attributes attributes) {
    List<Object> pool = new ArrayList<>(attributes.getTexts("pool_strings"));
    for (long value : attributes.getLongs("pool_int64s")) {
      pool.add(value);
    }
    long[] counts = attributes.getLongs("ngram_counts");
    long[] indexes = attributes.getLongs("ngram_indexes");
    Map<List<Object>, Integer> columns = new HashMap<>();
    int width = 0;
    int ngram = 0;
    for (int length = 1; length <= counts.length; length++) {
      int end = Math.toIntExact(length < counts.length ? counts[length] : pool.size());
      int from = Math.toIntExact(counts[length - 1]);
      if (from < 0 || end < from || end > pool.size() || (end - from) % length != 0) {
        throw new IllegalArgumentException("n-grams do not fit the pool: length=%d from=%d end=%d pool=%d".formatted(
          length, from, end, pool.size()));
      }
      for (int at = from; at < end; at += length, ngram++) {
        if (ngram >= indexes.length || indexes[ngram] < 0 || indexes[ngram] >= Integer.MAX_VALUE) {
          throw new IllegalArgumentException("each n-gram needs a column: ngram=%d ngram_indexes=%d".formatted(ngram,
            indexes.length));
        }
        columns.put(List.copyOf(pool.subList(at, at + length)), (int) indexes[ngram]);
      }
    }
    for (long index : indexes) {
      width = Math.max(width, Math.toIntExact(index) + 1);
    }
    int longest = attributes.getInt("max_gram_length", 1);
    int shortest = attributes.getInt("min_gram_length", 1);
    int skips = attributes.getInt("max_skip_count", 0);
    if (shortest < 1 || longest < shortest || skips < 0 || ngram != indexes.length) {
      throw new IllegalArgumentException(
        "impossible n-grams: min_gram_length=%d max_gram_length=%d max_skip_count=%d ngrams=%d ngram_indexes=%d"
          .formatted(shortest, longest, skips, ngram, indexes.length));
    }
    return new NgramPool(columns, width, shortest, longest, skips, weights(attributes, indexes, width));
  }

  /** The attribute has one weight for each n-gram. */
  private static List<Float> weights(Attributes attributes, long[] indexes, int width) {
    List<Float> given = attributes.getFloats("weights");
    if (given.isEmpty()) {
      return given;
    }
    if (given.size() != indexes.length) {
      throw new IllegalArgumentException("one weight for each n-gram is needed: weights=%d ngrams=%d".formatted(given
        .size(), indexes.length));
    }
    Float[] byColumn = new Float[width];
    Arrays.fill(byColumn, 1f);
    for (int i = 0; i < indexes.length; i++) {
      byColumn[(int) indexes[i]] = given.get(i);
    }
    return List.of(byColumn);
  }

  /** For each column, how often its n-grams occur among elements {@code [from, from + count)}. */
  public long[] counted(TensorView x, long from, long count) {
    long[] found = new long[width];
    for (int step = 1; step <= skips + 1; step++) {
      // The distance means nothing to single elements, which are counted once.
      for (int length = step == 1 ? shortest : Math.max(shortest, 2); length <= longest; length++) {
        for (long first = 0; first + (long) step * (length - 1) < count; first++) {
          List<Object> ngram = new ArrayList<>();
          for (int i = 0; i < length; i++) {
            ngram.add(element(x, from + first + (long) i * step));
          }
          Integer column = columns.get(ngram);
          if (column != null) {
            found[column]++;
          }
        }
      }
    }
    return found;
  }

  private static Object element(TensorView x, long index) {
    return x.dtype() == DType.STRING ? StringElements.at(x, index) : (Object) x.longAt(index);
  }
}
