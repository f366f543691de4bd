package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;

/** Operators of domain com.microsoft on numbers that stand for words or letters, with ONNX's. */
final class MicrosoftTokens {
  /** Each word of a hash adds a few nodes. */
  private static final long MOST_WORDS = 64;

  private MicrosoftTokens() {}

  /** Scores of words that would repeat a run of words that is there already become {@code -Infinity}. */
  static List<NodeEntry> withoutRepeats(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    long before = old.attributes().getLong("ngram_size", 0) - 1;
    if (before < 0) {
      throw new IllegalArgumentException("runs have a word at least: ngram_size=" + (before + 1));
    }
    GraphExpression ids = made.input(0);
    GraphExpression scores = made.input(1);
    GraphExpression count = ids.extent(1).sub(made.longs("before", before)).maximum(made.longs("least", 0));
    GraphExpression places = range(made, count);
    GraphExpression words = ids.take(places.add(made.whole("last", before)), 1);
    GraphExpression blocked = scores.scalar(Float.NEGATIVE_INFINITY);
    GraphExpression update = before == 0
      ? blocked.broadcastTo(words.extents(Attributes.NONE))
      : repeats(made, ids, places, before).where(blocked, scores.scalar(Float.POSITIVE_INFINITY));
    return made.last(scores).callAll("ScatterElements", Attributes.NONE.with("axis", 1).with("reduction",
      new AttributeValue.Text("min")), 1, List.of(words, update)).getFirst().results();
  }

  /** Whether the words from each place on are the last ones, of the same number. */
  private static GraphExpression repeats(Replacement made, GraphExpression ids, GraphExpression places, long before) {
    GraphExpression next = range(made, made.longs("window", before));
    GraphExpression windows = ids.take(places.expandDims(1).add(next), 1);
    // Zeros in front, so that there are so many words; then there is no place.
    GraphExpression last = columns(made, ids.pad(0, before, 0, 0), -before, Long.MAX_VALUE);
    return windows.ne(last.expandDims(1)).astype(DType.INT32).sum(2).eq(0);
  }

  private static GraphExpression columns(Replacement made, GraphExpression x, long from, long to) {
    return x.slice(made.longs("from", from), made.longs("to", to), made.longs("axis", 1), made.longs("step", 1));
  }

  /** {@code 0, 1, 2, ...}. */
  private static GraphExpression range(Replacement made, GraphExpression count) {
    return made.whole("first", 0).rangeTo(count.squeeze(0), made.whole("next", 1));
  }

  /**
   * For each word, hashes of it with those before it: products with multipliers, joined by exclusive or, modulo the
   * sizes of tables. The words before the first are an input, or all the same.
   */
  static List<NodeEntry> hashes(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    long most = given.getLong("max_ngram_size", 0);
    long heads = given.getLong("n_head_per_ngram", 0);
    if (most < 2 || most > MOST_WORDS || heads < 1) {
      throw new IllegalArgumentException("no such hashes: max_ngram_size=%d n_head_per_ngram=%d".formatted(most,
        heads));
    }
    if (made.hasInput(6)) {
      throw new IllegalArgumentException("an input is not supported: input=segment_ids");
    }
    GraphExpression ids = made.input(0);
    GraphExpression filler = made.hasInput(5)
      ? made.input(5).reshapeKeeping(made.longs("one", 1))
      : made.longs("pad_id", given.getLong("pad_id", 0)).castLike(ids);
    GraphExpression past = made.hasInput(3)
      ? made.input(3)
      : filler.broadcastTo(ids.extent(0).concat(0, List.of(made.longs("history", most - 1))));
    GraphExpression all = past.concat(1, List.of(ids));
    List<GraphExpression> shifted = shifted(made, all, most, filler);
    List<GraphExpression> results = new ArrayList<>();
    GraphExpression mix = shifted.get(0).mul(multiplier(made, 0));
    for (int i = 1; i < most; i++) {
      mix = mix.bitwiseXor(shifted.get(i).mul(multiplier(made, i)));
      GraphExpression sizes = list(made, made.input(2), (i - 1) * heads, i * heads);
      results.add(mix.expandDims(2).mod(sizes, false));
    }
    GraphExpression joined = results.getFirst().concat(2, results.subList(1, results.size()));
    GraphExpression last = made.last(joined, 1);
    NodeEntry hashes = (made.hasInput(4) ? last.add(made.input(4)) : last.identity()).entry();
    return old.outputs() < 2
      ? List.of(hashes)
      : List.of(hashes, columns(made, all, 1 - most, Long.MAX_VALUE).entry());
  }

  /** The words, those one before, and so on; with {@code reset_on_eos} none from before the end of a text. */
  private static List<GraphExpression> shifted(Replacement made, GraphExpression all, long most,
    GraphExpression filler) {
    boolean resets = made.hasInput(5) && made.old().attributes().getFlag("reset_on_eos", false);
    List<GraphExpression> shifted = new ArrayList<>();
    List<GraphExpression> ends = new ArrayList<>();
    for (long i = 0; i < most; i++) {
      GraphExpression words = columns(made, all, most - 1 - i, i == 0 ? Long.MAX_VALUE : -i);
      if (resets && i > 0) {
        GraphExpression isEnd = words.eq(filler);
        ends.add(ends.isEmpty() ? isEnd : ends.getLast().logicalOr(isEnd));
        words = ends.getLast().where(filler, words);
      }
      shifted.add(words);
    }
    return shifted;
  }

  private static GraphExpression multiplier(Replacement made, long index) {
    return list(made, made.input(1), index, index + 1);
  }

  private static GraphExpression list(Replacement made, GraphExpression x, long from, long to) {
    return x.slice(made.longs("from", from), made.longs("to", to), made.longs("axis", 0), made.longs("step", 1));
  }

  /**
   * A vector for each word: the maxima of a convolution of the vectors of its letters. A word without letters becomes
   * zeros.
   */
  static List<NodeEntry> ofLetters(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression letters = made.input(0);
    GraphExpression weights = made.input(1);
    GraphExpression isLetter = letters.gt(0);
    GraphExpression length = isLetter.astype(DType.INT64).sum(true, 1).mul(columns(made, isLetter, 0, 1).astype(
      DType.INT64));
    GraphExpression taps = weights.extent(2);
    // The convolution sees whole windows alone: those of a shorter word reach into what follows it.
    GraphExpression windows = length.maximum(taps).sub(taps);
    GraphExpression vectors = made.input(3).take(letters.maximum(letters.scalar(0L)));
    GraphExpression images = vectors.expandDims(1).conv(Attributes.NONE, List.of(weights, made.input(2))).squeeze(3)
      .tanh();
    GraphExpression counts = range(made, images.extent(2)).expandDims(0).le(windows);
    GraphExpression most = counts.expandDims(1).where(images, images.scalar(Float.NEGATIVE_INFINITY)).max(2);
    return made.last(length.gt(0)).where(most, most.scalar(0f)).results();
  }
}
