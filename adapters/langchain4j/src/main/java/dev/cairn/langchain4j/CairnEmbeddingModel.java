package dev.cairn.langchain4j;

import ai.djl.huggingface.tokenizers.Encoding;
import dev.cairn.langchain4j.TextEncoder.Batch;
import dev.cairn.runtime.session.ModelInfo;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.DimensionAwareEmbeddingModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.nio.file.Path;
import java.util.List;

/**
 * Embeddings of length 1 by an ONNX model that takes {@code input_ids} and, if it wants them, {@code attention_mask}
 * and {@code token_type_ids}. An output with one row a text is the embedding; an output with one row a token is pooled.
 * Thread-safe; close it when done.
 *
 * <pre>{@code
 * try (var model = CairnEmbeddingModel.open(Path.of("model.onnx"), Path.of("tokenizer.json"))) {
 *   float[] vector = model.embed("Rivers carry water").content().vector();
 * }}</pre>
 */
public final class CairnEmbeddingModel extends DimensionAwareEmbeddingModel implements AutoCloseable {
  private static final List<String> USUAL_OUTPUTS = List.of("sentence_embedding", "last_hidden_state",
    "token_embeddings");
  private static final String LOGITS = "logits";

  private final TextEncoder encoder;
  private final Pooling pooling;

  private CairnEmbeddingModel(TextEncoder encoder, Pooling pooling) {
    this.encoder = encoder;
    this.pooling = pooling;
  }

  /** A model with the mean over the tokens and {@link EncoderOptions#DEFAULT}. */
  public static CairnEmbeddingModel open(Path model, Path tokenizer) {
    return open(model, tokenizer, Pooling.MEAN, EncoderOptions.DEFAULT);
  }

  /**
   * Opens a model, as {@link dev.cairn.runtime.session.Session#open}, and its tokenizer.
   *
   * @param tokenizer Hugging Face's file {@code tokenizer.json}, or its folder
   * @throws IllegalArgumentException when the model takes something else than tokens, when it is a scoring model or a
   *   classifier, or when the tokenizer's file is damaged
   * @throws java.io.UncheckedIOException when the tokenizer's file cannot be read
   */
  public static CairnEmbeddingModel open(Path model, Path tokenizer, Pooling pooling, EncoderOptions options) {
    return new CairnEmbeddingModel(TextEncoder.open(model, tokenizer, options,
      CairnEmbeddingModel::usualOutput), pooling);
  }

  private static String usualOutput(ModelInfo model) {
    return USUAL_OUTPUTS.stream().filter(model.outputs()::contains).findFirst()
      .or(() -> model.outputs().stream().filter(name -> !name.equals(LOGITS)).findFirst())
      .orElseThrow(() -> new IllegalArgumentException(("not an embedding model: its only output is %s, as of a scoring"
        + " model or a classifier: model=%s; CairnScoringModel opens scoring models").formatted(LOGITS,
          model.name())));
  }

  @Override
  public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
    List<Encoding> texts = segments.stream().map(it -> encoder.tokens(it.text())).toList();
    List<Embedding> embeddings = encoder.run(texts, batch -> batch.each(text -> embedding(batch, text)));
    int tokens = texts.stream().mapToInt(it -> it.getIds().length).sum();
    return Response.from(embeddings, new TokenUsage(tokens));
  }

  private Embedding embedding(Batch batch, int text) {
    float[] vector = batch.row(text, 0);
    if (vector.length == 1) {
      throw new IllegalArgumentException(("not an embedding: one number for each text: output=%s shape=%s;"
        + " CairnScoringModel opens scoring models").formatted(batch.output(), batch.shape()));
    }
    if (batch.shape().rank() == 3 && pooling == Pooling.MEAN) {
      vector = mean(batch, text, vector.length);
    }
    var embedding = Embedding.from(vector);
    embedding.normalize();
    return embedding;
  }

  private static float[] mean(Batch batch, int text, int width) {
    long[] mask = batch.texts().get(text).getAttentionMask();
    double[] sum = new double[width];
    int count = 0;
    for (int token = 0; token < mask.length; token++) {
      if (mask[token] != 0) {
        float[] row = batch.row(text, token);
        for (int i = 0; i < width; i++) {
          sum[i] += row[i];
        }
        count++;
      }
    }
    float[] mean = new float[width];
    for (int i = 0; i < width; i++) {
      mean[i] = (float) (sum[i] / Math.max(1, count));
    }
    return mean;
  }

  @Override
  public void close() {
    encoder.close();
  }
}
