package dev.cairn.runtime.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongLineTest {
  private static List<String> lines(String text) {
    return LongLine.of("  ", text).lines().toList();
  }

  @Test
  void aLineThatFitsStaysAsItIs() {
    String clause = "a clause of forty characters is this; ";
    String text = (clause + clause + clause + clause + clause).substring(0, LongLine.WIDTH - 2);
    assertThat(lines(text)).containsExactly("  " + text);
    assertThat(lines("")).containsExactly("  ");
  }

  @Test
  void clausesAreKeptTogether() {
    String half = "x".repeat(LongLine.WIDTH / 2 - 3) + ";";
    assertThat(lines(half + " " + half + " " + half)).containsExactly("  " + half + " " + half, "    " + half);
    String most = "needs more than is there, " + "x".repeat(LongLine.WIDTH - 31);
    assertThat(lines("first; " + most + "; last")).containsExactly("  first;", "    " + most + ";", "    last");
  }

  @Test
  void longClausesBreakAfterCommas() {
    String item = "weight float32[3x3] 36 B, ";
    List<String> lines = lines("holds " + item.repeat(12) + "and 3 more");
    assertThat(lines).hasSize(3).allMatch(it -> it.length() <= LongLine.WIDTH);
    assertThat(lines.subList(0, 2)).allMatch(it -> it.endsWith("36 B,"));
  }

  @Test
  void longClausesBreakBetweenWordsAndWordsNever() {
    String word = "/a/path/" + "x".repeat(2 * LongLine.WIDTH);
    assertThat(lines("see " + word + " and here")).containsExactly("  see", "    " + word, "    and here");
    assertThat(lines("word ".repeat(100).strip())).hasSize(4).allMatch(it -> it.length() <= LongLine.WIDTH);
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    assertThat(Columns.of("ab\u00e9")).isEqualTo(3);
    assertThat(Columns.of("\u6a21\u578b")).as("Chinese").isEqualTo(4);
    assertThat(Columns.of("\ud55c\uff21")).as("Korean, and a full-width letter").isEqualTo(4);
    assertThat(Columns.of("e\u0301")).as("an accent of its own").isEqualTo(1);
    assertThat(Columns.of("\ud83d\ude80")).as("an emoji").isEqualTo(2);
    String words = "\u6a21".repeat(50) + " " + "\u578b".repeat(50);
    assertThat(lines(words)).containsExactly("  " + words.substring(0, 50), "    " + words.substring(51));
  }

  @Test
  void nothingIsLost() {
    var random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      var text = new StringBuilder("a");
      while (text.length() < 700) {
        text.append(List.of("; ", ", ", " ", "b", "b", "b", "b", "bb").get(random.nextInt(8)));
      }
      String broken = LongLine.of("  ", text.toString());
      assertThat(broken.replace(System.lineSeparator() + LongLine.INDENT, " ")).isEqualTo("  " + text);
      assertThat(broken.lines()).allMatch(it -> it.length() <= LongLine.WIDTH);
    }
  }
}
