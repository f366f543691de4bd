package dev.cairn.runtime.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PictureFrameTest {
  @Test
  void edgesAreTheEndsOfTheScales() {
    var frame = new PictureFrame(400, 300, 10, 20, 1000);
    assertThat(List.of(frame.x(10), frame.x(20), frame.x(15))).containsExactly(0.0, 400.0, 200.0);
    assertThat(List.of(frame.y(0), frame.y(1000), frame.y(250))).containsExactly(300.0, 0.0, 225.0);
    assertThat(frame.times(11)).containsExactly(10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
    assertThat(frame.times(6)).containsExactly(10L, 12L, 14L, 16L, 18L, 20L);
    assertThat(frame.addresses(6)).containsExactly(0L, 200L, 400L, 600L, 800L, 1000L);
  }

  @Test
  void addressesAreRoundInTheirUnit() {
    assertThat(new PictureFrame(1, 1, 0, 1, 5L << 20).addresses(9)).containsExactly(0L, 1L << 20, 2L << 20, 3L << 20,
      4L << 20, 5L << 20);
    assertThat(new PictureFrame(1, 1, 0, 1, 1L << 20).addresses(9)).extracting(PictureNumbers::tick).containsExactly(
      "0 B",
      "256 KiB", "512 KiB", "768 KiB", "1 MiB");
  }

  @Test
  void ticksAreFewAndWithinTheFrameWhateverTheScale() {
    var random = new Random(1);
    for (int round = 0; round < 5000; round++) {
      long bytes = 1 + random.nextLong(1L << random.nextInt(1, 63));
      int first = random.nextInt(1 << 20);
      int end = first + 1 + random.nextInt(1 << random.nextInt(1, 30));
      var frame = new PictureFrame(500, 300, first, end, bytes);
      assertThat(frame.addresses(9)).as("bytes=%d", bytes).hasSizeBetween(1, 20).allMatch(it -> it >= 0 && it <= bytes)
        .isSorted().doesNotHaveDuplicates();
      assertThat(frame.times(11)).as("%d to %d", first, end).hasSizeLessThanOrEqualTo(12).allMatch(it -> it >= first
        && it <= end);
    }
  }

  @Test
  void figuresAreShort() {
    assertThat(List.of(PictureNumbers.grouped(0), PictureNumbers.grouped(999), PictureNumbers.grouped(1000),
      PictureNumbers.grouped(-1234567),
      PictureNumbers.grouped(-123), PictureNumbers.grouped(Long.MAX_VALUE))).containsExactly("0", "999", "1,000",
        "-1,234,567",
        "-123",
        "9,223,372,036,854,775,807");
    assertThat(List.of(PictureNumbers.tick(0), PictureNumbers.tick(1280L << 10), PictureNumbers.tick(1 << 30)))
      .containsExactly("0 B",
        "1.25 MiB", "1 GiB");
    assertThat(List.of(PictureNumbers.bytes(5), PictureNumbers.bytes(2048), PictureNumbers.count(1, "buffer"),
      PictureNumbers.count(2000,
        "buffer")))
      .containsExactly("5 B", "2,048 B (2.0 KiB)", "1 buffer", "2,000 buffers");
    assertThat(List.of(SvgText.number(0), SvgText.number(-0.0001), SvgText.number(1.5), SvgText.number(-1.25), SvgText
      .number(0.0504), SvgText.number(2.9999), SvgText.number(100))).containsExactly("0", "0", "1.5", "-1.25", "0.05",
        "3", "100");
  }
}
