package dev.cairn.kernels.onednn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.load.DynamicLoader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The variable of libgomp that says how often a waiting thread looks before it sleeps. */
class OpenMpSpinsTest {
  private static MemorySegment longs(Arena arena, long... values) {
    return arena.allocateFrom(JAVA_LONG, values);
  }

  @Test
  void theVariableIsWhereTheUsualValueIs() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment first = longs(arena, 1, 2);
      MemorySegment second = longs(arena, 3, OpenMpSpins.USUAL, 4);
      OpenMpSpins spins = OpenMpSpins.find(List.of(first, second)).orElseThrow();
      spins.set(200);
      assertThat(second.toArray(JAVA_LONG)).containsExactly(3, 200, 4);
      spins.set(OpenMpSpins.USUAL);
      assertThat(second.toArray(JAVA_LONG)).containsExactly(3, OpenMpSpins.USUAL, 4);
      assertThat(first.toArray(JAVA_LONG)).containsExactly(1, 2);
    }
  }

  /** Another variable may have the same value. */
  @Test
  void nothingIsWrittenWhereItIsInDoubt() {
    try (var arena = Arena.ofConfined()) {
      assertThat(OpenMpSpins.find(List.of(longs(arena, OpenMpSpins.USUAL, OpenMpSpins.USUAL)))).isEmpty();
      assertThat(OpenMpSpins.find(List.of(longs(arena, 1, 2)))).isEmpty();
      assertThat(OpenMpSpins.find(List.<MemorySegment>of())).isEmpty();
    }
  }

  /** libgomp itself says what is in force. */
  @Test
  void libgompSpinsAsOftenAsItIsSet() throws IOException, InterruptedException {
    OneDnnFixture.library();
    assertThat(said(Map.of(), 4321)).contains("GOMP_SPINCOUNT = '4321'");
    assertThat(said(Map.of(), OpenMpSpins.USUAL)).contains("GOMP_SPINCOUNT = '300000'");
  }

  @Test
  void whatAUserHasDecidedStays() throws IOException, InterruptedException {
    OneDnnFixture.library();
    assertThat(said(Map.of("GOMP_SPINCOUNT", "77"), 4321)).contains("GOMP_SPINCOUNT = '77'");
    assertThat(said(Map.of("GOMP_SPINCOUNT", "300000"), 4321)).contains("GOMP_SPINCOUNT = '300000'");
    assertThat(said(Map.of("OMP_WAIT_POLICY", "passive"), 4321)).contains("GOMP_SPINCOUNT = '0'");
  }

  /** What libgomp says of its settings in a process that has set the number. */
  private static String said(Map<String, String> environment, int spins) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
      System.getProperty("java.class.path"), OpenMpSpinsTest.class.getName(), Integer.toString(spins))
      .redirectErrorStream(true);
    builder.environment().keySet().removeIf(it -> it.startsWith("OMP_") || it.startsWith("GOMP_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      String text = out.readAllAsString();
      assertThat(process.waitFor()).as(text).isZero();
      return text;
    }
  }

  /** The child: {@code omp_display_env} writes to standard error. */
  public static void main(String[] words) throws Throwable {
    OneDnnFixture.library().calls().spin(Integer.parseInt(words[0]));
    String openMp = Files.readAllLines(Path.of("/proc/self/maps")).stream().filter(it -> it.endsWith("/libgomp.so.1"))
      .map(it -> it.substring(it.indexOf('/'))).findFirst().orElseThrow();
    var loader = new DynamicLoader();
    loader.function(loader.open(openMp), "omp_display_env", FunctionDescriptor.ofVoid(JAVA_INT)).orElseThrow()
      .invokeExact(1);
  }
}
