package dev.cairn.kernels.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelProvider.Unavailable;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.load.NativeFiles;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each call to oneDNN fails once; nothing may be held afterwards, and the next attempt succeeds. */
class OneDnnFaultsTest {
  @TempDir
  private Path folder;

  @Test
  void whicheverCallFailsNothingIsHeld() {
    try (var fixture = new OneDnnFixture()) {
      Attributes pads = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));
      TensorView x = fixture.random(1, 16, 9, 9);
      TensorView w = fixture.random(16, 16, 3, 3);
      KernelSignature signature = KernelRunner.signature(pads, List.of(x.type()), x, w);
      int held = fixture.calls.live();
      int failures = 0;
      for (boolean done = false; !done; failures++) {
        // Another kernel each time: it would remember what it was told.
        try (OneDnnProvider fresh = fixture.provider()) {
          fixture.calls.failAt(failures);
          try {
            fixture.packed(new KernelCatalog(fresh.rows()).rows("Conv").getFirst(), signature, x, w);
            done = fixture.calls.made.size() <= failures;
          } catch (OneDnnFailure e) {
            assertTrue(String.valueOf(e.getMessage()).contains("out_of_memory"), String.valueOf(e.getMessage()));
          } finally {
            fixture.calls.failAt(-1);
          }
        }
        assertEquals(held, fixture.calls.live(), "after the failure of call " + failures);
      }
      assertTrue(failures > 20, "calls: " + failures);
    }
  }

  @Test
  void anEngineThatIsNotMadeIsUnavailable() {
    OneDnn library = OneDnnFixture.library();
    var calls = new CountedCalls(library.calls());
    calls.failAt(0);
    var broken = new OneDnn(calls, library.version(), library.instructions());
    assertThrows(Unavailable.class, () -> OneDnnProvider.open(broken, 1, true));
    assertEquals(0, calls.live());
  }

  /** OpenMP is loaded then, and oneDNN cannot be. */
  @Test
  void aLibraryThatIsLoadedHalfWayIsUnavailable() throws IOException {
    OneDnnFixture.library();
    Files.createDirectories(folder.resolve(OneDnn.LIBRARY.checksum().substring(0, 32)).resolve(OneDnn.LIBRARY
      .fileName()).resolve("in the way"));
    var loader = new DynamicLoader();
    var files = new NativeFiles(Optional.of(folder), Optional.empty(), loader, _ -> {});
    var failure = assertThrows(Unavailable.class, () -> OneDnn.loadWith(loader, files));
    assertTrue(String.valueOf(failure.getMessage()).contains("libdnnl.so.3"), failure.getMessage());
  }

  @Test
  void anotherPlatformHasNoLibrary() throws Unavailable {
    OneDnn.requirePlatform("Linux", "amd64");
    assertThrows(Unavailable.class, () -> OneDnn.requirePlatform("Linux", "aarch64"));
    assertThrows(Unavailable.class, () -> OneDnn.requirePlatform("Windows 11", "amd64"));
  }

  @Test
  void theLibraryNamesItselfAndTheProcessor() {
    OneDnn library = OneDnnFixture.library();
    assertTrue(library.description().matches("oneDNN 3\\.11 on (sse41|avx.*|isa 0x.*)"), library.description());
  }

  @Test
  void otherElementTypesAreNotServed() {
    try (var fixture = new OneDnnFixture()) {
      assertEquals(Optional.empty(), new KernelCatalog(fixture.one.rows()).find("MatMul", KernelSignature.of(List.of(
        TensorType.of(DType.FLOAT64, 64, 64), TensorType.of(DType.FLOAT64, 64, 64)),
        List.of(TensorType.of(
          DType.FLOAT64, 64, 64)),
        Attributes.NONE)));
    }
  }
}
