package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The results of {@code BifurcationDetector} of com.microsoft, which lets a model copy words of a source while they
 * are what it predicts.
 *
 * @param words the words so far, followed by the predicted ones that the source has, too, and one more
 * @param next the place in the source after a run of words that ends the words and that the source has once; the length
 *   of the source or more, or -1, where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CopiedWords(long[] words, long next) {
  /**
   * @param next where the predicted words begin in the source
   * @param predicted one word more than the source has from there on; null for none
   * @throws IllegalArgumentException if an attribute is missing or lengths do not fit
   */
  public static CopiedWords of(Attributes attributes, TensorView source, TensorView words, TensorView next,
    @Nullable TensorView predicted) {
    int least = attributes.getInt("min_ngram_size", 0);
    int most = attributes.getInt("max_ngram_size", 0);
    if (least < 1 || most < least) {
      throw new IllegalArgumentException("no such runs: min_ngram_size=%d max_ngram_size=%d".formatted(least, most));
    }
    long[] all = source.toLongArray();
    long[] more = predicted == null
      ? words.toLongArray()
      : joined(all, words.toLongArray(), next.longAt(0), predicted
        .toLongArray());
    return new CopiedWords(more, next(all, more, least, most));
  }

  private static long[] joined(long[] source, long[] words, long next, long[] predicted) {
    if (next < 0 || next > source.length || predicted.length != source.length + 1 - next) {
      throw new IllegalArgumentException("predicted words do not fit: source=%d next=%d predicted=%d".formatted(
        source.length, next, predicted.length));
    }
    int equal = Arrays.mismatch(predicted, 0, predicted.length - 1, source, (int) next, source.length);
    int count = (equal < 0 ? predicted.length - 1 : equal) + 1;
    long[] joined = Arrays.copyOf(words, words.length + count);
    System.arraycopy(predicted, 0, joined, words.length, count);
    return joined;
  }

  /** Longer runs are looked for while shorter ones are there more than once. */
  private static long next(long[] source, long[] words, int least, int most) {
    long next = -1;
    for (int size = least; size <= Math.min(most, words.length); size++) {
      int first = find(source, 0, words, size);
      if (first < 0) {
        break;
      }
      next = first + (long) size;
      if (next >= source.length) {
        break;
      }
      if (find(source, first + 1, words, size) >= 0) {
        next = -1;
      }
    }
    return next;
  }

  /** Where the last words are first found in the source, from a place on; -1 if nowhere. */
  private static int find(long[] source, int from, long[] words, int size) {
    for (int i = from; i + size <= source.length; i++) {
      if (Arrays.equals(source, i, i + size, words, words.length - size, words.length)) {
        return i;
      }
    }
    return -1;
  }
}
