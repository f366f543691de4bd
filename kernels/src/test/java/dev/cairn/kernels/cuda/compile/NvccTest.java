package dev.cairn.kernels.cuda.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With scripts in the place of nvcc and ptxas, so that no toolkit is needed. */
class NvccTest {
  private static final CudaProgram SOURCE = CudaProgram.of("one.cu", "a source").withHeaders(Map.of("one.cuh",
    "a header"));
  private static final String WRITES = """
    while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; [ "$1" = -I ] && headers=$2; shift; done
    [ "$(cat "$headers/one.cuh")" = "a header" ] && [ "$(cat "$1")" = "a source" ] || { echo "nothing there"; exit 4; }
    printf '//\\n// who made it\\n\\n.version 9.0\\n.target sm_75\\n.entry one()\\n' > "$out"
    """;

  @TempDir
  private Path folder;

  private void script(String name, String body) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private Nvcc nvcc(String compile, String check) throws IOException {
    script("nvcc", "[ $1 = --version ] && { echo 'tools, release 12.9, V12.9.41'; exit; }\n" + compile);
    script("ptxas", check);
    return Nvcc.find("/nowhere::" + folder, CompiledKernelCache.in(folder.resolve("cache"))).orElseThrow();
  }

  private static String ptx(Nvcc nvcc) {
    return new String(nvcc.compile(SOURCE, "sm_75", List.of("-DA=1")), StandardCharsets.US_ASCII);
  }

  @Test
  void ptxIsSaidToBeOfAnOldVersionWhereThatIsTrue() throws IOException {
    Nvcc nvcc = nvcc(WRITES, "grep -q '^.version 8.0$' \"$5\"");
    assertThat(nvcc.made()).isEqualTo("nvcc 12.9.41");
    assertThat(ptx(nvcc)).isEqualTo(".version 8.0\n.target sm_75\n.entry one()\n");
  }

  @Test
  void ptxThatNeedsItsVersionKeepsIt() throws IOException {
    assertThat(ptx(nvcc(WRITES, "echo 'needs PTX ISA 9.0'; exit 255"))).startsWith(".version 9.0\n");
  }

  @Test
  void whatWasCompiledIsNotCompiledAgain() throws IOException {
    String once = ptx(nvcc(WRITES, "exit 0"));
    Nvcc broken = nvcc("exit 1", "exit 1");
    assertThat(ptx(broken)).isEqualTo(once);
    assertThatThrownBy(() -> broken.compile(SOURCE, "sm_80", List.of("-DA=1"))).isInstanceOf(
      UncheckedIOException.class);
    assertThatThrownBy(() -> broken.compile(SOURCE, "sm_75", List.of("-DA=2"))).isInstanceOf(
      UncheckedIOException.class);
  }

  @Test
  void whatNvccSaysIsToldWhenItFails() throws IOException {
    Nvcc nvcc = nvcc("echo 'one.cu(1): error: no such thing'; exit 2", "exit 0");
    assertThatThrownBy(() -> ptx(nvcc)).hasMessageContaining("source=one.cu").cause().hasMessageContaining("code=2")
      .hasMessageContaining("no such thing");
  }

  @Test
  void whereThereIsNoneThereIsNone() throws IOException {
    Files.writeString(folder.resolve("nvcc"), "not to be run");
    assertThat(Nvcc.find("", CompiledKernelCache.none())).isEmpty();
    assertThat(Nvcc.find(folder + ":/nowhere", CompiledKernelCache.none())).isEmpty();
  }

  @Test
  void aSetIsWrittenWholeOrNotAtAll() throws IOException, InterruptedException {
    Path to = Files.createDirectories(folder.resolve("set"));
    Files.writeString(to.resolve("old.ptx"), "stale");
    var failing = new Precompilation(nvcc("exit 1", "exit 1"));
    failing.add(SOURCE, "sm_75", List.of());
    assertThatThrownBy(() -> failing.writeTo(to, "nobody")).isInstanceOf(UncheckedIOException.class);
    assertThat(to).isDirectoryContaining("glob:**/old.ptx");
    var working = new Precompilation(nvcc(WRITES, "exit 0"));
    working.add(SOURCE, "sm_75", List.of());
    working.add(SOURCE, "sm_80", List.of());
    working.add(SOURCE, "sm_80", List.of());
    working.writeTo(to, "a script");
    assertThat(working.size()).isEqualTo(2);
    PrecompiledIndex index = PrecompiledIndex.parse(Files.readString(to.resolve("index")));
    assertThat(index.made()).isEqualTo("a script");
    assertThat(index.images()).hasSize(2).allSatisfy(it -> assertThat(to.resolve(it.file())).exists());
    assertThat(to).isDirectoryNotContaining("glob:**/old.ptx");
  }
}
