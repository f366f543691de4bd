package dev.cairn.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.langchain4j.data.segment.TextSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scores of pairs are what a hand computes, in any batch. */
class CairnScoringModelTest {
  private static final Path TOKENIZER = Path.of("src/test/resources/tokenizer.json");
  private static final Offset<Double> ROUNDING = within(1e-5);

  @TempDir
  private Path folder;

  @Test
  void queryAndTextAreReadTogether() throws IOException {
    Path file = SmallEncoders.perPair(folder.resolve("model.onnx"));
    for (int batchSize : List.of(1, 2, 8)) {
      try (var model = CairnScoringModel.open(file, TOKENIZER, EncoderOptions.DEFAULT.withBatchSize(batchSize))) {
        List<Double> scores = model.scoreAll(List.of(TextSegment.from("rivers carry water"), TextSegment.from("banks"),
          TextSegment.from("the sea")), "what do rivers carry?").content();
        assertThat(scores.get(0)).isCloseTo(SmallEncoders.score(2, 14, 15, 4, 5, 6, 16, 3, 4, 5, 6, 7, 3), ROUNDING);
        assertThat(scores.get(1)).isCloseTo(SmallEncoders.score(2, 14, 15, 4, 5, 6, 16, 3, 11, 5, 3), ROUNDING);
        assertThat(scores.get(2)).isCloseTo(SmallEncoders.score(2, 14, 15, 4, 5, 6, 16, 3, 9, 10, 3), ROUNDING);
      }
    }
  }

  @Test
  void aModelWithManyNumbersForAPairIsRefused() throws IOException {
    try (var model = CairnScoringModel.open(SmallEncoders.perToken(folder.resolve("model.onnx")), TOKENIZER)) {
      assertThatIllegalArgumentException().isThrownBy(() -> model.score("banks", "what?"))
        .withMessageContainingAll("one number for each pair", "last_hidden_state", "1x");
    }
  }
}
