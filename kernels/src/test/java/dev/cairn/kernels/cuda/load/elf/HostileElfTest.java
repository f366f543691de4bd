package dev.cairn.kernels.cuda.load.elf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HostileElfTest {
  /** JCuda's library that calls NVRTC. */
  private static byte[] original() throws IOException {
    try (InputStream in = HostileElfTest.class.getResourceAsStream("/lib/libJNvrtc-12.6.0-linux-x86_64.so")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  /** Whatever headers and tables say, the answer is a file or {@link InvalidElf}, and it comes. */
  @Test
  void hostileTablesAreReadWithinBounds() throws IOException {
    byte[] original = original();
    var image = new ElfImage(original.clone());
    int dynamic = 0;
    for (int i = 0; i < image.segments(); i++) {
      dynamic = image.int32(image.segment(i)) == ElfImage.SEGMENT_DYNAMIC
        ? (int) image.int64(image.segment(i) + 8)
        : dynamic;
    }
    int versions = (int) ElfDynamic.of(image).versions();
    int[][] targets = {{0, 64 + image.segments() * ElfImage.SEGMENT_BYTES}, {dynamic, 512}, {versions, 256}};
    var random = new Random(7);
    long[] evil = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, original.length, original.length - 1, 0xffffffffL};
    int refused = 0;
    for (int round = 0; round < 3000; round++) {
      byte[] hostile = original.clone();
      int[] target = targets[random.nextInt(targets.length)];
      for (int change = random.nextInt(4); change >= 0; change--) {
        long value = random.nextBoolean() ? evil[random.nextInt(evil.length)] : random.nextLong();
        int at = target[0] + random.nextInt(target[1]);
        for (int i = 0; i < 1 << random.nextInt(4); i++) {
          hostile[at + i] = (byte) (value >>> (8 * i));
        }
      }
      try {
        assertEquals(original.length, ElfPatch.withNeededLibrary(hostile, "libnvrtc.so.12", "libnvrtc.so.13").length);
      } catch (InvalidElf e) {
        refused++;
      }
    }
    assertEquals(true, refused > 300, "the changes hit what is read: refused=" + refused);
  }
}
