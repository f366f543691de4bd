package dev.cairn.langchain4j;

import ai.djl.huggingface.tokenizers.Encoding;
import dev.cairn.langchain4j.TextEncoder.Batch;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.model.scoring.ScoringModel;
import java.nio.file.Path;
import java.util.List;

/**
 * How well texts answer a query, by an ONNX cross-encoder: the model reads query and text together and gives one number
 * for each pair. The numbers are the model's own, without a sigmoid. Thread-safe; close it when done.
 *
 * <pre>{@code
 * try (var model = CairnScoringModel.open(Path.of("model.onnx"), Path.of("tokenizer.json"))) {
 *   double score = model.score("Rivers carry water", "What do rivers carry?").content();
 * }}</pre>
 */
public final class CairnScoringModel implements ScoringModel, AutoCloseable {
  private final TextEncoder encoder;

  private CairnScoringModel(TextEncoder encoder) {
    this.encoder = encoder;
  }

  /** A model with {@link EncoderOptions#DEFAULT}. */
  public static CairnScoringModel open(Path model, Path tokenizer) {
    return open(model, tokenizer, EncoderOptions.DEFAULT);
  }

  /**
   * Opens a model, as {@link dev.cairn.runtime.session.Session#open}, and its tokenizer.
   *
   * @param tokenizer Hugging Face's file {@code tokenizer.json}, or its folder
   * @throws IllegalArgumentException when the model takes something else than tokens, or when the tokenizer's file is
   *   damaged
   * @throws java.io.UncheckedIOException when the tokenizer's file cannot be read
   */
  public static CairnScoringModel open(Path model, Path tokenizer, EncoderOptions options) {
    return new CairnScoringModel(TextEncoder.open(model, tokenizer, options, info -> info.outputs()
      .contains("logits") ? "logits" : info.outputs().getFirst()));
  }

  @Override
  public Response<List<Double>> scoreAll(List<TextSegment> segments, String query) {
    List<Encoding> pairs = segments.stream().map(it -> encoder.tokens(query, it.text())).toList();
    List<Double> scores = encoder.run(pairs, batch -> batch.each(pair -> score(batch, pair)));
    int tokens = pairs.stream().mapToInt(it -> it.getIds().length).sum();
    return Response.from(scores, new TokenUsage(tokens));
  }

  private static double score(Batch batch, int pair) {
    float[] row = batch.row(pair, 0);
    if (batch.shape().rank() != 2 || row.length != 1) {
      throw new IllegalArgumentException("a scoring model gives one number for each pair: output=%s shape=%s".formatted(
        batch.output(), batch.shape()));
    }
    return row[0];
  }

  @Override
  public void close() {
    encoder.close();
  }
}
