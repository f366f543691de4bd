package dev.cairn.langchain4j;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.session.SessionOptions;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.store.embedding.CosineSimilarity;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The programs of {@code docs/howto/langchain4j.md}. */
final class SearchExample {
  private SearchExample() {}

  static String search(Path model, Path tokenizer, List<String> documents, String question) {
    try (CairnEmbeddingModel embeddings = CairnEmbeddingModel.open(model, tokenizer)) {
      List<TextSegment> segments = documents.stream().map(TextSegment::from).toList();
      List<Embedding> vectors = embeddings.embedAll(segments).content();
      Embedding wanted = embeddings.embed(question).content();
      return documents.stream().max(Comparator.comparingDouble(document -> CosineSimilarity.between(wanted,
        vectors.get(documents.indexOf(document))))).orElseThrow();
    }
  }

  static double score(Path reranker, Path tokenizer) {
    try (CairnScoringModel model = CairnScoringModel.open(reranker, tokenizer)) {
      return model.score("Rivers carry water", "What do rivers carry?").content();
    }
  }

  static EncoderOptions onePlan() {
    Map<String, Shape> largest = Map.of("input_ids", Shape.of(1, 512), "attention_mask", Shape.of(1, 512));
    return EncoderOptions.DEFAULT.withSession(SessionOptions.DEFAULT.withLargestShapes(largest));
  }
}
