package dev.cairn.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's programs do what the page says. */
class SearchExampleTest {
  private static final Path TOKENIZER = Path.of("src/test/resources/tokenizer.json");

  @TempDir
  private Path folder;

  @Test
  void theSearchFindsTheDocument() throws IOException {
    String found = SearchExample.search(SmallEncoders.perToken(folder.resolve("model.onnx")), TOKENIZER, List.of(
      "Banks lend money", "Rivers carry water to the sea", "Stones stand"), "what do rivers carry?");
    assertThat(found).isEqualTo("Rivers carry water to the sea");
  }

  @Test
  void theScoreIsTheModels() throws IOException {
    double score = SearchExample.score(SmallEncoders.perPair(folder.resolve("model.onnx")), TOKENIZER);
    assertThat(score).isCloseTo(SmallEncoders.score(2, 14, 15, 4, 5, 6, 16, 3, 4, 5, 6, 7, 3), within(1e-5));
  }

  @Test
  void onePlanServesTextsOfManyLengths() throws IOException {
    Path pairs = SmallEncoders.perPair(folder.resolve("model.onnx"));
    try (var model = CairnScoringModel.open(pairs, TOKENIZER, SearchExample.onePlan())) {
      assertThat(model.score("banks", "money")).satisfies(it -> assertThat(it.content()).isCloseTo(SmallEncoders.score(
        2, 13, 3, 11, 5, 3), within(1e-5)));
      assertThat(model.score("rivers carry water", "money").content()).isCloseTo(SmallEncoders.score(2, 13, 3, 4, 5, 6,
        7, 3), within(1e-5));
    }
  }
}
