package dev.cairn.kernels.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Published values of MurmurHash3 for 32 bits. */
class HashFormTest {
  private static int hash(String text, int seed) {
    return HashForm.of(Attributes.NONE.with("seed", Integer.toUnsignedLong(seed))).hash(text.getBytes(
      StandardCharsets.UTF_8));
  }

  @Test
  void ofTextsOfAllLengthsModuloFour() {
    assertThat(hash("", 0)).isZero();
    assertThat(hash("", 1)).isEqualTo(0x514e28b7);
    assertThat(hash("", -1)).isEqualTo(0x81f16f39);
    assertThat(hash("a", 0x9747b28c)).isEqualTo(0x7fa09ea6);
    assertThat(hash("aa", 0x9747b28c)).isEqualTo(0x5d211726);
    assertThat(hash("aaa", 0x9747b28c)).isEqualTo(0x283e0130);
    assertThat(hash("aaaa", 0x9747b28c)).isEqualTo(0x5a97808a);
    assertThat(hash("The quick brown fox jumps over the lazy dog", 0x9747b28c)).isEqualTo(0x2fa826cd);
  }
}
