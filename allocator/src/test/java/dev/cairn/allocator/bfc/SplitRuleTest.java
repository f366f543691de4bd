package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.Alignment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

/** Cairn's own policy, which is asked as a threshold, against the same in the words of its description. */
class SplitRuleTest {
  private static SplitPolicy inWords(long slackBytes) {
    return (chunkBytes, wantedBytes) -> chunkBytes >= 2 * wantedBytes || chunkBytes - wantedBytes >= slackBytes;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 255, 256, 257, 1000, 4096, 1 << 16, SplitPolicy.STANDARD_SLACK_BYTES, Long.MAX_VALUE})
  void aThresholdSaysWhatThePolicySays(long slackBytes) {
    SplitPolicy ours = SplitPolicy.doubleOrSlack(slackBytes);
    SplitPolicy theirs = inWords(slackBytes);
    var asked = new SplitRule(theirs);
    var compared = new SplitRule(ours);
    Random random = new Random(slackBytes);
    int splits = 0;
    for (int i = 0; i < 20_000; i++) {
      long wanted = Alignment.CHUNK_BYTES * (1 + random.nextLong(1L << random.nextInt(1, 22)));
      long chunk = wanted + Alignment.CHUNK_BYTES * random.nextLong(1L << random.nextInt(1, 22));
      boolean leavesRest = asked.leavesRest(chunk, wanted);
      assertThat(compared.leavesRest(chunk, wanted)).as("chunk=%d wanted=%d", chunk, wanted).isEqualTo(leavesRest);
      if (chunk > wanted) {
        assertThat(ours.splits(chunk, wanted)).isEqualTo(theirs.splits(chunk, wanted)).isEqualTo(leavesRest);
      }
      splits += leavesRest ? 1 : 0;
    }
    assertThat(splits).isBetween(1_000, 19_500);
  }

  @Test
  void aPolicyOfOthersIsAskedOnlyWhereAChunkWouldBeLeft() {
    var rule = new SplitRule((chunkBytes, wantedBytes) -> {
      throw new IllegalStateException("asked");
    });
    assertThat(rule.leavesRest(1024, 1024)).isFalse();
    assertThatThrownBy(() -> rule.leavesRest(1280, 1024)).hasMessage("asked");
  }
}
