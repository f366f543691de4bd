package dev.cairn.kernels.onednn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelProvider.Unavailable;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.load.DynamicLoader;
import dev.cairn.kernels.load.NativeFiles;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each call to oneDNN fails once; nothing may be held afterwards, and the next attempt succeeds. */
class OneDnnFaultsTest {
  @TempDir
  private Path folder;

  /** A call of an operator. */
  private record Case(String operator, Attributes attributes, TensorType result, List<@Nullable TensorView> inputs) {
    static Case of(String operator, Attributes attributes, TensorType result, @Nullable TensorView... inputs) {
      return new Case(operator, attributes, result, Arrays.asList(inputs));
    }

    @Nullable
    TensorView[] views() {
      return inputs.toArray(@Nullable TensorView[]::new);
    }
  }

  /** One call of each family of kernels. */
  private static List<Case> cases(OneDnnFixture fixture) {
    Attributes pads = Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1));
    Attributes windows = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(3, 3));
    TensorView x = fixture.random(1, 16, 9, 9);
    TensorView w = fixture.random(16, 16, 3, 3);
    TensorView matrix = fixture.random(64, 64);
    TensorView bound = TestTensors.of(DType.FLOAT32, Shape.SCALAR, 0.5);
    TensorType pooled = TensorType.of(DType.FLOAT32, 1, 16, 7, 7);
    return List.of(Case.of("Conv", pads, x.type(), x, w), Case.of("MatMul", Attributes.NONE, matrix.type(), matrix,
      matrix), Case.of("MaxPool", windows, pooled, x), Case.of("AveragePool", windows, pooled, x),
      Case.of("LRN",
        Attributes.NONE.with("size", 5), x.type(), x),
      Case.of("Softmax", Attributes.NONE, matrix.type(), matrix), Case
        .of("ConvTranspose", pads, x.type(), x, w),
      Case.of("ConvWeightGradient", pads.with("kernel_shape",
        AttributeValue.Ints.of(3, 3)), w.type(), x, x),
      Case.of("Gemm", Attributes.NONE, matrix.type(), matrix,
        matrix, fixture.random(64)),
      Case.of(FusedProduct.OPERATOR, clipped(), matrix.type(), matrix, matrix,
        null, bound));
  }

  /** A product whose results are at most as high as the input after its operands. */
  private static Attributes clipped() {
    var clip = new PointwiseProgram.Step("Clip", Attributes.NONE, DType.FLOAT32, List.of(new PointwiseProgram.Input(0),
      new PointwiseProgram.Absent(), new PointwiseProgram.Input(1)));
    return new FusedProduct("MatMul", Attributes.NONE, new PointwiseProgram(List.of(clip), List.of(0))).all();
  }

  @Test
  void whicheverCallFailsNothingIsHeld() {
    try (var fixture = new OneDnnFixture()) {
      cases(fixture).forEach(it -> checkFailures(fixture, it));
    }
  }

  private static void checkFailures(OneDnnFixture fixture, Case one) {
    KernelSignature signature = KernelRunner.signature(one.attributes(), List.of(one.result()), one.views());
    int held = fixture.calls.live();
    int failures = 0;
    for (boolean done = false; !done; failures++) {
      // Each round makes another kernel, since a kernel remembers earlier answers.
      try (OneDnnProvider fresh = fixture.provider()) {
        fixture.calls.failAt(failures);
        try {
          fixture.packed(new KernelCatalog(fresh.rows()).rows(one.operator()).getFirst(), signature, one.views());
          done = fixture.calls.made.size() <= failures;
        } catch (OneDnnFailure e) {
          assertTrue(String.valueOf(e.getMessage()).contains("out_of_memory"), String.valueOf(e.getMessage()));
        } finally {
          fixture.calls.failAt(-1);
        }
      }
      assertEquals(held, fixture.calls.live(), one.operator() + " after the failure of call " + failures);
    }
    assertTrue(failures > 8, one.operator() + " calls: " + failures);
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
