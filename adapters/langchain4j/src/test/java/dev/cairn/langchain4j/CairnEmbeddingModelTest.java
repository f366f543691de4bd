package dev.cairn.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.output.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vectors of texts are what a hand computes from the table of the model, in any batch. */
class CairnEmbeddingModelTest {
  private static final Path TOKENIZER = Path.of("src/test/resources/tokenizer.json");
  private static final Offset<Float> ROUNDING = within(1e-6f);
  private static final List<String> TEXTS = List.of("Rivers carry water to the sea.", "Banks lend money", "stones",
    "Rivers", "what do rivers carry?");

  @TempDir
  private Path folder;

  private CairnEmbeddingModel open(Pooling pooling, EncoderOptions options) throws IOException {
    return CairnEmbeddingModel.open(SmallEncoders.perToken(folder.resolve("model.onnx")), TOKENIZER, pooling, options);
  }

  @Test
  void anEmbeddingIsTheMeanOverTheTokens() throws IOException {
    try (CairnEmbeddingModel model = open(Pooling.MEAN, EncoderOptions.DEFAULT)) {
      // [CLS] river ##s carry water [SEP]
      assertThat(model.embed("Rivers carry water").content().vector()).containsExactly(SmallEncoders.mean(2, 4, 5, 6, 7,
        3), ROUNDING);
      assertThat(model.dimension()).isEqualTo(SmallEncoders.WIDTH);
    }
  }

  @Test
  void orTheVectorOfTheFirstToken() throws IOException {
    try (CairnEmbeddingModel model = open(Pooling.CLS, EncoderOptions.DEFAULT)) {
      assertThat(model.embed("Rivers carry water").content().vector()).containsExactly(SmallEncoders.mean(2), ROUNDING);
    }
  }

  @Test
  void aTextHasTheSameVectorInABatch() throws IOException {
    List<TextSegment> segments = TEXTS.stream().map(TextSegment::from).toList();
    List<float[]> alone;
    try (CairnEmbeddingModel model = open(Pooling.MEAN, EncoderOptions.DEFAULT)) {
      alone = segments.stream().map(it -> model.embed(it).content().vector()).toList();
    }
    try (CairnEmbeddingModel model = open(Pooling.MEAN, EncoderOptions.DEFAULT.withBatchSize(3))) {
      Response<List<Embedding>> together = model.embedAll(segments);
      for (int i = 0; i < segments.size(); i++) {
        assertThat(together.content().get(i).vector()).as(TEXTS.get(i)).containsExactly(alone.get(i), ROUNDING);
      }
      assertThat(together.tokenUsage().inputTokenCount()).isEqualTo(10 + 6 + 4 + 4 + 8);
      assertThat(model.embedAll(List.of()).content()).isEmpty();
    }
  }

  @Test
  void longTextsAreCutOff() throws IOException {
    try (CairnEmbeddingModel model = open(Pooling.MEAN, EncoderOptions.DEFAULT.withMaxTokens(4))) {
      Response<Embedding> cut = model.embed("Rivers carry water to the sea");
      assertThat(cut.content().vector()).containsExactly(SmallEncoders.mean(2, 4, 5, 3), ROUNDING);
    }
  }

  @Test
  void fewerTokensThanTheTokenizerAddsAreRefused() throws IOException {
    try (CairnEmbeddingModel model = open(Pooling.MEAN, EncoderOptions.DEFAULT.withMaxTokens(1))) {
      assertThatIllegalArgumentException().isThrownBy(() -> model.embed("Rivers carry water"))
        .withMessageContaining("maxTokens=1");
    }
  }

  @Test
  void aModelMayBeClosedWhileOthersEmbed() throws IOException, InterruptedException {
    String text = "Rivers carry water to the sea ".repeat(200);
    CairnEmbeddingModel model = open(Pooling.MEAN, EncoderOptions.DEFAULT);
    var embedding = new CountDownLatch(3);
    List<CompletableFuture<Void>> others = Stream.generate(() -> CompletableFuture.runAsync(() -> {
      while (true) {
        model.embed(text);
        embedding.countDown();
      }
    }, it -> Thread.ofPlatform().start(it))).limit(3).toList();
    embedding.await();
    model.close();
    model.close();
    for (CompletableFuture<Void> other : others) {
      assertThatThrownBy(other::join).hasRootCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    }
  }

  @Test
  void manyThreadsShareAModel() throws IOException {
    try (CairnEmbeddingModel model = open(Pooling.MEAN, EncoderOptions.DEFAULT)) {
      List<float[]> vectors = Stream.generate(() -> "Rivers carry water").limit(40).parallel().map(it -> model.embed(it)
        .content().vector()).toList();
      assertThat(vectors).allSatisfy(it -> assertThat(it).isEqualTo(vectors.getFirst()));
    }
  }

  @Test
  void whatIsNoModelOfTokensIsRefused() throws IOException {
    Path images = SmallEncoders.ofImages(folder.resolve("images.onnx"));
    assertThatIllegalArgumentException().isThrownBy(() -> CairnEmbeddingModel.open(images, TOKENIZER))
      .withMessageContainingAll("input_ids", "images", "[pixels]");
    Path words = SmallEncoders.perToken(folder.resolve("words.onnx"));
    assertThatIllegalArgumentException().isThrownBy(() -> CairnEmbeddingModel.open(words, TOKENIZER, Pooling.MEAN,
      EncoderOptions.DEFAULT.withOutput("pooled"))).withMessageContainingAll("pooled", "last_hidden_state");
    assertThatThrownBy(() -> CairnEmbeddingModel.open(words, folder.resolve("none.json")))
      .isInstanceOf(UncheckedIOException.class).hasMessageContaining("none.json");
    assertThatIllegalArgumentException().isThrownBy(() -> EncoderOptions.DEFAULT.withBatchSize(0))
      .withMessageContaining("batchSize=0");
  }
}
