package dev.cairn.kernels.cuda.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that are refused before they are started, so that all of it happens in this process. */
class CudaLibrariesTest {
  @TempDir
  private Path work;

  private static CudaUnavailable refused(Path driver) {
    return assertThrows(CudaUnavailable.class, () -> CudaLibraries.load(CudaSearch.of(Map.of()).withDriver(driver)));
  }

  @Test
  void aDriverThatIsNotThere() {
    CudaUnavailable error = refused(work.resolve("libcuda.so.1"));
    assertEquals(Reason.NO_DRIVER, error.reason());
    assertEquals(Map.of("asked", work.resolve("libcuda.so.1").toString(), "evidence", "no such file"), error.facts());
  }

  @Test
  void aClassPathWithoutJcuda() throws IOException {
    JcudaClasses.requirePresent(getClass().getClassLoader());
    try (var empty = new URLClassLoader(new URL[0], null)) {
      CudaUnavailable error = assertThrows(CudaUnavailable.class, () -> JcudaClasses.requirePresent(empty));
      assertEquals(Reason.NO_BINDING, error.reason());
      assertTrue(String.valueOf(error.getMessage()).contains("dev.cairn:cairn-cuda"), error::getMessage);
    }
  }

  @Test
  void aDriverThatIsTooOld() throws IOException {
    CudaUnavailable error = refused(TinyLibrary.driver(11080, 0, 1).writeInto(work));
    assertEquals(Reason.DRIVER_TOO_OLD, error.reason());
    assertEquals("11080", error.facts().get("version"));
  }

  @Test
  void aFileThatIsNoLibrary() throws IOException {
    CudaUnavailable error = refused(Files.writeString(work.resolve("libcuda.so.1"), "garbage"));
    assertEquals(Reason.DRIVER_BROKEN, error.reason());
    assertTrue(String.valueOf(error.facts().get("evidence")).contains("file too short"), error::getMessage);
  }

  @Test
  void aDriverForAnotherProcessor() throws IOException {
    byte[] foreign = TinyLibrary.driver(12060, 0, 1).bytes();
    foreign[18] = (byte) 183;
    CudaUnavailable error = refused(Files.write(work.resolve("libcuda.so.1"), foreign));
    assertEquals(Reason.DRIVER_BROKEN, error.reason());
    assertTrue(String.valueOf(error.facts().get("evidence")).contains("aarch64"), error::getMessage);
  }

  @Test
  void aDriverThatLacksTheFirstCalls() throws IOException {
    CudaUnavailable error = refused(new TinyLibrary("libcuda.so.1", false).returning("cuInit", 0).writeInto(work));
    assertEquals(Reason.DRIVER_BROKEN, error.reason());
    assertEquals("cuDriverGetVersion", error.facts().get("missing"));
  }

  @Test
  void aDriverThatAnswersNothing() throws IOException {
    CudaUnavailable error = refused(new TinyLibrary("libcuda.so.1", false).returning("cuDriverGetVersion", 803)
      .writeInto(work));
    assertEquals(Reason.DRIVER_BROKEN, error.reason());
    assertEquals("803", error.facts().get("code"));
  }

  @Test
  void otherPlatforms() {
    CudaLibraries.requirePlatform("Linux", "amd64");
    for (String[] other : new String[][] {{"Linux", "aarch64"}, {"Mac OS X", "amd64"}, {"Windows 11", "amd64"}}) {
      CudaUnavailable error = assertThrows(CudaUnavailable.class, () -> CudaLibraries.requirePlatform(other[0],
        other[1]));
      assertEquals(Reason.WRONG_PLATFORM, error.reason());
    }
  }
}
