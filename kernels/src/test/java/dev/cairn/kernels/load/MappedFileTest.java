package dev.cairn.kernels.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MappedFileTest {
  private static final List<String> LINES = List.of(
    "7f3f00000000-7f3f00001000 r--p 00000000 fe:00 16                         /other/libdnnl.so.3",
    "7f3f32800000-7f3f33611000 r--p 00000000 fe:00 17                         /a folder/libdnnl.so.3",
    "7f3f33611000-7f3f373c9000 r-xp 00e11000 fe:00 17                         /a folder/libdnnl.so.3",
    "7f3f373c9000-7f3f37c90000 r--p 04bc9000 fe:00 17                         /a folder/libdnnl.so.3",
    "7f3f37c91000-7f3f37d7e000 r--p 05490000 fe:00 17                         /a folder/libdnnl.so.3",
    "7f3f37d7e000-7f3f37d83000 rw-p 0557d000 fe:00 17                         /a folder/libdnnl.so.3",
    "ffff00000000-ffff00001000 r--p 00000000 00:00 0 ");

  @Test
  void theHeadAndTheCodeOfALibraryDoNotChange() {
    assertThat(MappedFile.unchangingParts(LINES, "/a folder/libdnnl.so.3")).containsExactly(
      new MappedFile.Part(0x7f3f32800000L, 0xe11000), new MappedFile.Part(0x7f3f33611000L, 0x3db8000));
  }

  @Test
  void dataThatTheLinkerHasWrittenIsLeftAlone() {
    List<String> withoutHead = LINES.subList(4, 6);
    assertThat(MappedFile.unchangingParts(withoutHead, "/no/such/file")).isEmpty();
    assertThat(MappedFile.unchangingParts(LINES.subList(2, 6), "/a folder/libdnnl.so.3")).containsExactly(
      new MappedFile.Part(0x7f3f33611000L, 0x3db8000));
  }

  @Test
  void variablesAreWhereTheLibraryMayWrite() {
    assertThat(MappedFile.variables(LINES, "/a folder/libdnnl.so.3")).containsExactly(new MappedFile.Part(
      0x7f3f37d7e000L, 0x5000));
    assertThat(MappedFile.variables(LINES, "/other/libdnnl.so.3")).isEmpty();
  }
}
