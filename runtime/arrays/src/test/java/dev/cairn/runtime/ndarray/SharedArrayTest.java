package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.autograd.Autograd;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Arrays in memory that other processes map by name. */
class SharedArrayTest extends ArrayContract {
  private static final Path FOLDER = Path.of(Files.isDirectory(Path.of("/dev/shm"))
    ? "/dev/shm"
    : System.getProperty("java.io.tmpdir"));

  /** Another process: doubles the elements of an array, and says their sum before. */
  static final class Doubling {
    private Doubling() {}

    public static void main(String[] arguments) {
      try (ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
        NDArray x = arrays.openShared(arguments[0], DType.FLOAT32, 2, 3)) {
        System.out.println(x.sum().toFloatArray()[0]);
        x.muli(2).waitToRead();
      }
    }
  }

  /** Another process: shares an array and ends without closing it. */
  static final class Dying {
    private Dying() {}

    public static void main(String[] arguments) {
      ArrayRuntime arrays = ArrayRuntime.open(ArrayOptions.DEFAULT);
      System.out.println(arrays.ones(DType.FLOAT32, 4).to("cpu_shared").sharedName());
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  private static String run(Class<?> program, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"),
      "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty(
        "java.class.path"),
      program.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    // The settings of the tests' log may come first.
    return printed.substring(printed.lastIndexOf('\n') + 1);
  }

  private static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(it -> it.getFileName().toString()).filter(it -> it.contains("cairn-")).toList();
    }
  }

  @Test
  void anotherProcessReadsAndWrites() throws Exception {
    NDArray x = counting(2, 3).to("cpu_shared");
    assertThat(x.place()).isEqualTo("cpu_shared");
    assertThat(x.device()).isEqualTo("cpu");
    String name = x.sharedName();
    assertThat(Files.getPosixFilePermissions(FOLDER.resolve(name))).isEqualTo(PosixFilePermissions.fromString(
      "rw-------"));
    assertThat(run(Doubling.class, name)).isEqualTo("15.0");
    assertThat(x.toFloatArray()).containsExactly(0, 2, 4, 6, 8, 10);
    x.close();
    arrays.waitAll();
    assertThat(files()).doesNotContain(name);
    assertThatIllegalArgumentException().isThrownBy(() -> arrays.openShared(name, DType.FLOAT32, 2, 3))
      .withMessageContaining("no such shared memory");
  }

  @Test
  void oneProcessMapsItTwice() {
    NDArray x = counting(4).to("cpu_shared");
    NDArray same = arrays.openShared(x.sharedName(), DType.FLOAT32, 2, 2);
    assertThat(same.place()).isEqualTo("cpu_shared");
    assertThat(same.sharedName()).isEqualTo(x.sharedName());
    x.addi(1).waitToRead();
    assertThat(same.toFloatArray()).containsExactly(1, 2, 3, 4);
    x.close();
    arrays.waitAll();
    assertThat(same.toFloatArray()).as("it stays mapped").containsExactly(1, 2, 3, 4);
  }

  @Test
  void memoryOfAProcessThatDiedIsDeletedByTheNext() throws Exception {
    String left = run(Dying.class);
    String kept = counting(4).to("cpu_shared").sharedName();
    try (ArrayRuntime other = ArrayRuntime.open(ArrayOptions.DEFAULT);
      NDArray y = other.ones(DType.FLOAT32, 2);
      NDArray shared = y.to("cpu_shared")) {
      String made = shared.sharedName();
      assertThat(files()).contains(kept, made).doesNotContain(left);
    }
    assertThat(files()).contains(kept);
  }

  @Test
  void closingTheRuntimeDeletesIt() throws IOException {
    String name;
    HeldArray held;
    try (ArrayRuntime other = ArrayRuntime.open(ArrayOptions.DEFAULT)) {
      NDArray x = other.ones(DType.FLOAT32, 2).to("cpu_shared");
      name = x.sharedName();
      held = x.hold();
    }
    assertThat(files()).as("it is held").contains(name);
    assertThat(held.view().segment().getAtIndex(ValueLayout.JAVA_FLOAT, 1)).isEqualTo(1);
    held.close();
    assertThat(files()).doesNotContain(name);
  }

  @Test
  void onlyNamesOfTheUsersOwnMemoryAreOpened() throws IOException {
    Path link = FOLDER.resolve("cairn-0123456789abcdef0123456789abcdef");
    Path open = FOLDER.resolve("cairn-0123456789abcdef0123456789abcdee");
    String name = counting(4).to("cpu_shared").sharedName();
    try {
      Files.createSymbolicLink(link, FOLDER.resolve(name));
      Files.createFile(open, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
      for (Path each : new Path[] {link, open}) {
        assertThatIllegalArgumentException().isThrownBy(() -> arrays.openShared(each.getFileName().toString(),
          DType.FLOAT32, 1)).withMessageContaining("not shared memory of this user alone");
      }
      for (String wrong : new String[] {"", "../etc/passwd", name + "x", "cairn-"}) {
        assertThatIllegalArgumentException().isThrownBy(() -> arrays.openShared(wrong, DType.FLOAT32, 1))
          .withMessageContaining("no name");
      }
      assertThatIllegalArgumentException().isThrownBy(() -> arrays.openShared(name, DType.FLOAT32, 1000))
        .withMessageContaining("shorter");
    } finally {
      Files.deleteIfExists(link);
      Files.deleteIfExists(open);
    }
  }

  @Test
  void theProcessorComputesWithIt() {
    NDArray x = floats(1, 2).attachGradient();
    NDArray y;
    try (var _ = Autograd.record()) {
      NDArray shared = x.to("cpu_shared");
      assertThat(shared.to("cpu_shared")).isSameAs(shared);
      y = shared.mul(3).add(floats(1, 1));
    }
    assertThat(y.place()).isEqualTo("cpu");
    assertThat(y.toFloatArray()).containsExactly(4, 7);
    y.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(3, 3);
    assertThat(arrays.stats().devices()).containsKey("cpu_shared");
  }

  @Test
  void otherPlacesHaveNoName() {
    assertThatIllegalStateException().isThrownBy(() -> floats(1).sharedName()).withMessageContaining(
      "to(\"cpu_shared\")");
    NDArray whole = counting(4).to("cpu_shared");
    assertThatIllegalStateException().isThrownBy(() -> whole.rows(1, 2).sharedName()).withMessageContaining(
      "whole array");
    assertThatIllegalArgumentException().isThrownBy(() -> floats(1).to("cpu_pinned")).withMessageContaining(
      "has no GPU");
  }
}
