package dev.cairn.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.store.embedding.CosineSimilarity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Embeddings of a quantised encoder are ONNX Runtime's, through langchain4j's interface. */
class QuantizedEncoderTest {
  private static final Path TOKENIZER = Path.of("src/test/resources/tokenizer.json");
  private static final List<String> WORDS = List.of("rivers", "carry", "water", "to", "the", "sea", "banks", "lend",
    "money", "stones", "stand", "what", "do", ".");

  private static final int PASSES = 8;

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
    Path model = QuantizedEncoder.write(folder.resolve("model.onnx"), SmallEncoders.WORDS, 2, 64);
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

  private static double apart(float[] one, float[] other) {
    double most = 0;
    for (int i = 0; i < one.length; i++) {
      most = Math.max(most, Math.abs(one[i] - other[i]));
    }
    return most;
  }

  /**
   * In a deep encoder a last digit that rounds the other way changes a whole step of 255, and that grows from layer to
   * layer. So ONNX Runtime differs from itself when its optimisations are off; Cairn differs by no more than that.
   */
  @Tag("soak")
  @Test
  void vectorsOfADeepEncoderAreAsNearAsOnnxRuntimesOwn() throws IOException, OrtException {
    Path model = QuantizedEncoder.write(folder.resolve("model.onnx"), SmallEncoders.WORDS, 6, 384);
    EncoderOptions exact = EncoderOptions.DEFAULT.withPaddedLengths(false);
    double ours = 0;
    double theirs = 0;
    try (CairnEmbeddingModel cairn = CairnEmbeddingModel.open(model, TOKENIZER, Pooling.MEAN, exact);
      HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.newInstance(TOKENIZER);
      var optimised = new OrtEmbeddings(model, tokenizer, 1);
      var plain = new OrtEmbeddings(model, tokenizer, 1, OptLevel.NO_OPT)) {
      for (String text : texts(8, 40)) {
        float[] wanted = optimised.embed(text);
        ours = Math.max(ours, apart(cairn.embed(text).content().vector(), wanted));
        theirs = Math.max(theirs, apart(plain.embed(text), wanted));
      }
    }
    System.out.printf("most apart: Cairn %.1e, ONNX Runtime without its optimisations %.1e%n", ours, theirs);
    assertThat(ours).isLessThan(Math.max(1e-3, theirs));
  }

  /**
   * Prints how long all texts take, text by text in turns, once both are warm: the first passes compile a plan for each
   * length, and kernels. Run it by itself on a quiet machine, with {@code -Psoak}.
   */
  @Tag("soak")
  @Test
  void throughputBesideOnnxRuntime() throws IOException, OrtException {
    Path model = QuantizedEncoder.write(folder.resolve("model.onnx"), SmallEncoders.WORDS, 6, 384);
    List<String> texts = texts(40, 100);
    for (int threads = 1; threads <= Math.min(2, Runtime.getRuntime().availableProcessors()); threads++) {
      EncoderOptions options = EncoderOptions.DEFAULT
        .withSession(EncoderOptions.DEFAULT.session().withThreads(threads));
      try (HuggingFaceTokenizer tokenizer = HuggingFaceTokenizer.newInstance(TOKENIZER);
        CairnEmbeddingModel cairn = CairnEmbeddingModel.open(model, TOKENIZER, Pooling.MEAN, options);
        var ort = new OrtEmbeddings(model, tokenizer, threads)) {
        for (int pass = 0; pass < PASSES; pass++) {
          long ours = 0;
          long theirs = 0;
          for (String text : texts) {
            long began = System.nanoTime();
            float[] vector = cairn.embed(text).content().vector();
            long between = System.nanoTime();
            float[] wanted = ort.embed(text);
            theirs += System.nanoTime() - between;
            ours += between - began;
            assertThat(CosineSimilarity.between(Embedding.from(vector), Embedding.from(wanted))).isGreaterThan(0.999);
          }
          System.out.printf("threads %d, pass %d: Cairn %.1f texts/s, ONNX Runtime %.1f texts/s, ratio %.2f%n", threads,
            pass, texts.size() / (ours / 1e9), texts.size() / (theirs / 1e9), (double) theirs / ours);
        }
      }
    }
  }
}
