package dev.cairn.langchain4j;

import dev.cairn.runtime.SessionOptions;
import java.util.Optional;

/**
 * How a model of texts runs.
 *
 * @param batchSize how many texts a run takes at most. A batch is padded to its longest text. In a model that is
 *   quantised dynamically, as in a GPU's products, the texts of a batch may change each other's last digits; with 1
 *   a text's numbers depend on the text alone
 * @param maxTokens tokens of a text, with the special ones; what is longer is cut off
 * @param output the output to read; if empty, the first of {@code sentence_embedding}, {@code last_hidden_state},
 *   {@code token_embeddings} and {@code logits} that the model has, else its first output
 * @param session how the model is opened
 */
public record EncoderOptions(int batchSize, int maxTokens, Optional<String> output, SessionOptions session) {
  /** One text a run, at most 512 tokens, {@link SessionOptions#DEFAULT}. */
  public static final EncoderOptions DEFAULT = new EncoderOptions(1, 512, Optional.empty(), SessionOptions.DEFAULT);

  public EncoderOptions {
    if (batchSize < 1 || maxTokens < 1) {
      throw new IllegalArgumentException("out of range: batchSize=%d maxTokens=%d".formatted(batchSize, maxTokens));
    }
  }

  public EncoderOptions withBatchSize(int texts) {
    return new EncoderOptions(texts, maxTokens, output, session);
  }

  public EncoderOptions withMaxTokens(int tokens) {
    return new EncoderOptions(batchSize, tokens, output, session);
  }

  public EncoderOptions withOutput(String name) {
    return new EncoderOptions(batchSize, maxTokens, Optional.of(name), session);
  }

  public EncoderOptions withSession(SessionOptions options) {
    return new EncoderOptions(batchSize, maxTokens, output, options);
  }
}
