package dev.cairn.kernels.cuda.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.kernels.cuda.load.elf.ElfPatch;
import dev.cairn.kernels.cuda.load.elf.InvalidElf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElfPatchTest {
  private static byte[] patched(byte[] original, JcudaNative wanted, int from, int to) throws InvalidElf {
    return ElfPatch.withNeededLibrary(original, wanted.libraryName(from), wanted.libraryName(to));
  }

  /**
   * How often the file has the name as a string of its own. The debugger's symbol table, which no loader reads, has it
   * within other strings.
   */
  private static int occurrences(byte[] content, String name) {
    String text = "\0" + name + "\0";
    String all = new String(content, StandardCharsets.ISO_8859_1);
    int count = 0;
    for (int at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
      count++;
    }
    return count;
  }

  @ParameterizedTest
  @EnumSource(names = {"NVRTC", "CUBLAS"})
  void aNativeNeedsTheOtherLibraryAndNothingElseChanges(JcudaNative wanted) throws IOException {
    byte[] original = wanted.content(JcudaNative.LINKED_MAJOR);
    byte[] patched = wanted.content(13);
    assertEquals(original.length, patched.length);
    assertEquals(0, occurrences(patched, wanted.libraryName(12)));
    assertEquals(occurrences(original, wanted.libraryName(12)), occurrences(patched, wanted.libraryName(13)));
    int changed = 0;
    for (int i = 0; i < original.length; i++) {
      changed += original[i] == patched[i] ? 0 : 1;
    }
    // The last digit of the name, and the lowest byte of the hash of its only version.
    assertEquals(occurrences(original, wanted.libraryName(12)) + 1, changed);
    assertArrayEquals(original, patched(patched, wanted, 13, 12));
  }

  /**
   * Compares hashes with those of the System V ABI's algorithm; the first two stand in every program that names these
   * versions of glibc.
   */
  @Test
  void hashesAreThoseOfTheAbi() {
    assertEquals(0x09691a75, ElfPatch.hash("GLIBC_2.2.5"));
    assertEquals(0x0d696913, ElfPatch.hash("GLIBC_2.3"));
    assertEquals(0, ElfPatch.hash(""));
  }

  @Test
  void theOriginalIsLeftAlone() throws IOException {
    byte[] original = JcudaNative.NVRTC.content(12);
    byte[] copy = original.clone();
    patched(original, JcudaNative.NVRTC, 12, 13);
    assertArrayEquals(copy, original);
  }

  @Test
  void refusesNamesOfAnotherLengthOrScript() throws IOException {
    byte[] original = JcudaNative.NVRTC.content(12);
    assertThrows(IllegalArgumentException.class, () -> ElfPatch.withNeededLibrary(original, "libnvrtc.so.12",
      "libnvrtc.so.9"));
    assertThrows(IllegalArgumentException.class, () -> ElfPatch.withNeededLibrary(original, "libnvrtc.so.12",
      "libnvrtc.so.1\u00e9"));
  }

  @Test
  void refusesALibraryThatIsNotNeeded() throws IOException {
    byte[] original = JcudaNative.NVRTC.content(12);
    assertThrows(InvalidElf.class, () -> ElfPatch.withNeededLibrary(original, "libnvrtx.so.12", "libnvrtx.so.13"));
    assertThrows(InvalidElf.class, () -> ElfPatch.withNeededLibrary(TinyLibrary.nvrtc(12).bytes(), "libnvrtc.so.12",
      "libnvrtc.so.13"));
  }

  @Test
  void refusesOtherFilesAndOtherMachines() throws IOException {
    byte[] original = JcudaNative.NVRTC.content(12);
    for (int at : new int[] {0, 4, 5, 16, 18, 54}) {
      byte[] other = original.clone();
      other[at]++;
      assertThrows(InvalidElf.class, () -> patched(other, JcudaNative.NVRTC, 12, 13), () -> "at=" + at);
    }
    assertThrows(InvalidElf.class, () -> patched(new byte[0], JcudaNative.NVRTC, 12, 13));
    assertThrows(InvalidElf.class, () -> patched("#!/bin/sh\n".repeat(20).getBytes(StandardCharsets.US_ASCII),
      JcudaNative.NVRTC, 12, 13));
  }

  @Test
  void aFileThatIsCutOffIsRefusedOrComplete() throws IOException {
    byte[] original = JcudaNative.NVRTC.content(12);
    int refused = 0;
    for (int length = 0; length < original.length; length += length < 512 ? 1 : 4099) {
      try {
        assertEquals(length, patched(Arrays.copyOf(original, length), JcudaNative.NVRTC, 12, 13).length);
      } catch (InvalidElf e) {
        refused++;
      }
    }
    assertEquals(true, refused > 512, "every cut through the headers is refused: refused=" + refused);
  }
}
