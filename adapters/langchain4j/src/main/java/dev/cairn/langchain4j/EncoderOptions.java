package dev.cairn.langchain4j;

import dev.cairn.runtime.session.SessionOptions;
import java.util.Optional;

/**
 * How a model of texts runs.
 *
 * @param batchSize how many texts a run takes at most; texts of similar length come together. In a model that is
 *   quantised dynamically, as in a GPU's products, the texts of a batch may change each other's last digits; with 1
 *   a text's numbers depend on the text alone
 * @param padsLengths whether texts are padded to one of 25 lengths up to 512: 8, 10, 12, 14, 16, 20, 24, 28, 32, 40 and
 *   so on. Cairn compiles a plan for each length, so without padding the first text of each length takes long. A model
 *   without an {@code attention_mask} is never padded. In a model that is quantised dynamically, padding changes
 *   numbers a little
 * @param maxTokens tokens of a text, with the special ones; longer texts are cut off
 * @param output the output to read; if empty, an embedding model reads the first of {@code sentence_embedding}, {@code
 *   last_hidden_state} and {@code token_embeddings} that the model has, a scoring model {@code logits}, and both else
 *   the model's first output
 * @param session how the model is opened
 */
public record EncoderOptions(int batchSize, boolean padsLengths, int maxTokens, Optional<String> output,
  SessionOptions session) {
  /** One text a run, padded to one of a few lengths, at most 512 tokens, and 32 plans. */
  public static final EncoderOptions DEFAULT = new EncoderOptions(1, true, 512, Optional.empty(),
    SessionOptions.DEFAULT.withMaxPlans(32));

  public EncoderOptions {
    if (batchSize < 1 || maxTokens < 1) {
      throw new IllegalArgumentException("out of range: batchSize=%d maxTokens=%d".formatted(batchSize, maxTokens));
    }
  }

  public EncoderOptions withBatchSize(int texts) {
    return new EncoderOptions(texts, padsLengths, maxTokens, output, session);
  }

  public EncoderOptions withPaddedLengths(boolean pads) {
    return new EncoderOptions(batchSize, pads, maxTokens, output, session);
  }

  public EncoderOptions withMaxTokens(int tokens) {
    return new EncoderOptions(batchSize, padsLengths, tokens, output, session);
  }

  public EncoderOptions withOutput(String name) {
    return new EncoderOptions(batchSize, padsLengths, maxTokens, Optional.of(name), session);
  }

  public EncoderOptions withSession(SessionOptions options) {
    return new EncoderOptions(batchSize, padsLengths, maxTokens, output, options);
  }
}
