/**
 * Embeddings and scores of texts for langchain4j. {@link dev.cairn.langchain4j.CairnEmbeddingModel} and
 * {@link dev.cairn.langchain4j.CairnScoringModel} run an ONNX encoder in a session of Cairn; Hugging Face's tokenizer
 * makes the tokens. The page is {@code docs/howto/langchain4j.md}.
 */
@NullMarked
package dev.cairn.langchain4j;

import org.jspecify.annotations.NullMarked;
