package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.compile.CompileFailure;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.compile.CudaCompiler;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerTest extends OnCuda {
  private static final CudaProgram SOURCE = CudaProgram.of("seven.cu", """
    #include "answer.h"
    #ifndef MORE
    #define MORE 0
    #endif
    extern "C" __global__ void seven(int* out) { out[0] = ANSWER + MORE; }
    """);

  @TempDir
  private Path folder;

  private CudaCompiler compiler(Path cache) {
    return CudaCompiler.open(CudaUnderTest.loaded(), CompiledKernelCache.in(cache));
  }

  private int run(CudaCompiler compiler, CudaProgram source, String... options) {
    long out = upload(-1);
    launch(device.load(compiler.compile(source, device.properties().architecture(), List.of(options))).function(
      "seven"), LaunchShape.of(1, 1), out);
    return ints(out, 1)[0];
  }

  private static CudaProgram with(int answer) {
    return SOURCE.withHeaders(Map.of("answer.h", "#define ANSWER " + answer));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  @Test
  void faultsInTheSourceAreReportedWithTheLog() {
    CompileFailure failure = catchThrowableOfType(CompileFailure.class, () -> module(
      "extern \"C\" __global__ void f(int* p) { nowhere[0] = 1; }"));
    assertThat(failure.code()).isEqualTo(6);
    assertThat(failure.log()).contains("nowhere").contains("test.cu");
    assertThat(failure).hasMessageContaining("source=test.cu").hasMessageContaining("nowhere");
  }

  @Test
  void optionsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> CudaUnderTest.compiler().compile(with(1), device.properties().architecture(), List.of(
      "--no-such-option"))).isInstanceOf(CompileFailure.class);
  }

  @Test
  void sourceHeadersAndOptionsEachMakeAnotherEntry() throws IOException {
    Path cache = folder.resolve("kernels");
    assertThat(run(compiler(cache), with(7))).isEqualTo(7);
    assertThat(run(compiler(cache), with(8))).isEqualTo(8);
    assertThat(run(compiler(cache), with(8), "-DMORE=1")).isEqualTo(9);
    assertThat(files(cache)).hasSize(3);
    assertThat(run(compiler(cache), with(8), "-DMORE=1")).isEqualTo(9);
    assertThat(files(cache)).hasSize(3);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache))).isEqualTo("rwx------");
  }

  @Test
  void whatIsInTheCacheIsNotCompiledAgain() throws IOException {
    Path cache = folder.resolve("kernels");
    run(compiler(cache), with(3));
    Path entry = files(cache).getFirst();
    var time = Files.getLastModifiedTime(entry);
    byte[] code = compiler(cache).compile(with(3), device.properties().architecture(), List.of());
    assertThat(Files.getLastModifiedTime(entry)).isEqualTo(time);
    byte[] file = Files.readAllBytes(entry);
    assertThat(file).endsWith(code).hasSize(code.length + 32);
  }

  @Test
  void aDamagedEntryIsMadeAnew() throws IOException {
    Path cache = folder.resolve("kernels");
    run(compiler(cache), with(4));
    Path entry = files(cache).getFirst();
    byte[] good = Files.readAllBytes(entry);
    for (byte[] bad : new byte[][] {{}, new byte[10], new byte[500], flipped(good), java.util.Arrays.copyOf(good,
      good.length - 1)}) {
      Files.write(entry, bad);
      assertThat(run(compiler(cache), with(4))).isEqualTo(4);
      assertThat(Files.size(entry)).isGreaterThan(100);
    }
    assertThat(files(cache)).hasSize(1);
  }

  private static byte[] flipped(byte[] good) {
    byte[] bad = good.clone();
    bad[bad.length / 2] ^= 1;
    return bad;
  }

  @Test
  void aFolderThatOthersMayWriteToIsNotTrusted() throws IOException {
    Path cache = folder.resolve("kernels");
    run(compiler(cache), with(5));
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path entry = files(cache).getFirst();
    Files.delete(entry);
    assertThat(run(compiler(cache), with(5))).isEqualTo(5);
    assertThat(files(cache)).isEmpty();
  }

  @Test
  void aFolderThatCanNotBeIsDoneWithout() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    assertThat(run(compiler(file.resolve("kernels")), with(6))).isEqualTo(6);
    assertThat(run(compiler(file), with(6))).isEqualTo(6);
    Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("elsewhere")));
    assertThat(run(compiler(link), with(6))).isEqualTo(6);
    assertThat(files(folder.resolve("elsewhere"))).isEmpty();
  }

  @Test
  void anUnknownResourceIsNamed() {
    assertThatThrownBy(() -> CudaProgram.resource("nothing.cu")).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("name=nothing.cu");
  }
}
