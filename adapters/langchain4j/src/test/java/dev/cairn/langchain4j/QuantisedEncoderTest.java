package dev.cairn.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OrtException;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.store.embedding.CosineSimilarity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Embeddings of a quantised encoder are ONNX Runtime's, through langchain4j's interface. */
class QuantisedEncoderTest {
  private static final Path TOKENIZER = Path.of("src/test/resources/tokenizer.json");
  private static final List<String> WORDS = List.of("rivers", "carry", "water", "to", "the", "sea", "banks", "lend",
    "money", "stones", "stand", "what", "do", ".");

  @TempDir
  private Path folder;

  private static List<String> texts(int count, int mostWords) {
    var random = new SplittableRandom(3);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      var text = new StringBuilder();
      for (int word = random.nextInt(1, mostWords); word >= 0; word--) {
        text.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
      }
      texts.add(text.toString());
    }
    return texts;
  }

  @Test
  void vectorsAreOnnxRuntimes() throws IOException, OrtException {
    Path model = QuantisedEncoder.write(folder.resolve("model.onnx"), SmallEncoders.WORDS, 2, 64);
    EncoderOptions exact = EncoderOptions.DEFAULT.withPaddedLengths(false);
    try (CairnEmbeddingModel cairn = CairnEmbeddingModel.open(model, TOKENIZER, Pooling.MEAN, exact);
      CairnEmbeddingModel padded = CairnEmbeddingModel.open(model, TOKENIZER);
      HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.newInstance(TOKENIZER);
      var ort = new OrtEmbeddings(model, tokenizer, 1)) {
      for (String text : texts(6, 20)) {
        float[] wanted = ort.embed(text);
        assertThat(cairn.embed(text).content().vector()).as(text).containsExactly(wanted, within(1e-3f));
        assertThat(CosineSimilarity.between(padded.embed(text).content(), Embedding.from(wanted))).as(text)
          .isGreaterThan(0.999);
      }
    }
  }

  /** Prints texts a second of both, in turns: run it by itself on a quiet machine, with {@code -Psoak}. */
  @Tag("soak")
  @Test
  void throughputBesideOnnxRuntime() throws IOException, OrtException {
    Path model = QuantisedEncoder.write(folder.resolve("model.onnx"), SmallEncoders.WORDS, 6, 384);
    int threads = Math.min(2, Runtime.getRuntime().availableProcessors());
    List<String> texts = texts(64, 100);
    EncoderOptions options = EncoderOptions.DEFAULT.withSession(EncoderOptions.DEFAULT.session().withThreads(threads));
    try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.newInstance(TOKENIZER)) {
      for (int round = 0; round < 3; round++) {
        List<float[]> ours = new ArrayList<>();
        List<float[]> theirs = new ArrayList<>();
        double cairns;
        double orts;
        try (CairnEmbeddingModel cairn = CairnEmbeddingModel.open(model, TOKENIZER, Pooling.MEAN, options)) {
          texts.forEach(cairn::embed);
          long began = System.nanoTime();
          texts.forEach(text -> ours.add(cairn.embed(text).content().vector()));
          cairns = perSecond(texts, began);
        }
        try (var ort = new OrtEmbeddings(model, tokenizer, threads)) {
          for (String text : texts) {
            ort.embed(text);
          }
          long began = System.nanoTime();
          for (String text : texts) {
            theirs.add(ort.embed(text));
          }
          orts = perSecond(texts, began);
        }
        double least = 1;
        double apart = 0;
        for (int i = 0; i < ours.size(); i++) {
          least = Math.min(least, CosineSimilarity.between(Embedding.from(ours.get(i)), Embedding.from(theirs.get(i))));
          for (int j = 0; j < ours.get(i).length; j++) {
            apart = Math.max(apart, Math.abs(ours.get(i)[j] - theirs.get(i)[j]));
          }
        }
        System.out.printf("round %d: Cairn %.1f texts/s, ONNX Runtime %.1f texts/s, ratio %.2f; least cosine %.6f, "
          + "most apart %.1e%n", round, cairns, orts, cairns / orts, least, apart);
        assertThat(least).isGreaterThan(0.999);
      }
    }
  }

  private static double perSecond(List<String> texts, long began) {
    return texts.size() / ((System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1));
  }
}
