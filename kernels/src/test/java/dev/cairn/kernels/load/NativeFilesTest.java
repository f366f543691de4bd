package dev.cairn.kernels.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class NativeFilesTest {
  /** The folder of its own is gone then, and hides no reason. */
  @Test
  void aLibraryThatCannotBeWrittenIsToldWithItsReason() {
    var content = new NativeContent("libnone.so", 1, "0".repeat(64), () -> {
      throw new IOException("there is none");
    });
    List<String> notes = new ArrayList<>();
    var files = new NativeFiles(Optional.empty(), Optional.empty(), new DynamicLoader(), notes::add);
    String told = String.valueOf(assertThrows(CacheUnusable.class, () -> files.load(content, _ -> {})).getMessage());
    assertTrue(told.contains("there is none"), told);
    Matcher folder = Pattern.compile("folder=(\\S*cairn-natives-\\d+)").matcher(told);
    assertTrue(folder.find(), told);
    assertFalse(Files.exists(Path.of(folder.group(1))), told);
    assertEquals(List.of(), notes);
  }
}
