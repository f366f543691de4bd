package dev.cairn.kernels.cuda.load;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JVM that loads CUDA once and prints what came of it: a process can hold one driver only, so each case needs one of
 * its own.
 */
final class LoadingProcess {
  private static final String DONE = "done";

  private LoadingProcess() {}

  /** What the child does; an argument names a file to load as JCuda's native for NVRTC. */
  public static void main(String[] arguments) {
    String before = System.getProperty("java.io.tmpdir");
    try {
      if (arguments.length > 0) {
        JcudaClasses.initialise(JcudaNative.NVRTC, Path.of(arguments[0]));
      }
      LoadedCuda cuda = CudaLibraries.load(CudaSearch.of(System.getenv()));
      System.out.println("driver=" + cuda.driver());
      System.out.println("serves=" + cuda.driverVersionText() + " devices=" + cuda.devices());
      cuda.nvrtc().ifPresent(it -> System.out.println("nvrtc=" + it.major() + " place=" + it.place()));
      cuda.cublas().ifPresent(it -> System.out.println("cublas=" + it.major() + " place=" + it.place()));
      cuda.refused().forEach(it -> System.out.println("refused=" + it.why() + " " + it));
      cuda.notes().forEach(it -> System.out.println("note=" + it));
      int[] version = {0};
      jcuda.driver.JCudaDriver.cuDriverGetVersion(version);
      System.out.println("called driver=" + version[0]);
      if (cuda.nvrtc().isPresent()) {
        jcuda.nvrtc.JNvrtc.nvrtcVersion(version, new int[1]);
        System.out.println("called nvrtc=" + version[0]);
      }
      System.out.println("same=" + CudaLibraries.load(CudaSearch.of(Map.of())).equals(cuda));
      CudaLibraries.load(CudaSearch.of(Map.of()).withDriver(Path.of("/other/libcuda.so.1")));
    } catch (CudaUnavailable e) {
      System.out.println("reason=" + e.reason() + " " + e.getMessage());
    }
    System.out.println("tmpdir restored=" + System.getProperty("java.io.tmpdir").equals(before));
    System.out.println(DONE);
  }

  /** Starts one; {@link #output} waits for it. Options that start with a dash are Java's. */
  static Process start(Path work, Map<String, String> environment, String... options) throws IOException {
    return start(List.of(), work, environment, options);
  }

  /** @param before words that come before the command, which run it in some other way */
  static Process start(List<String> before, Path work, Map<String, String> environment, String... options)
    throws IOException {
    List<String> own = List.of(options).stream().filter(it -> it.startsWith("-")).toList();
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary(work)));
    command.addAll(!own.isEmpty() ? own : List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", classPath(), LoadingProcess.class.getName()));
    command.addAll(List.of(options).stream().filter(it -> !own.contains(it)).toList());
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Without Logback, which takes half of the process's time to start. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)).filter(it -> !it.contains(
      "logback")).collect(Collectors.joining(File.pathSeparator));
  }

  /** The temporary folder of the process. */
  static Path temporary(Path work) throws IOException {
    return Files.createDirectories(work.resolve("tmp"));
  }

  /** Runs one to its end; answers all it printed. */
  static String run(Path work, Map<String, String> environment, String... options) throws IOException,
    InterruptedException {
    return output(start(work, environment, options));
  }

  /** Waits for the end; answers all that was printed. */
  static String output(Process process) throws IOException, InterruptedException {
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      String text = out.readAllAsString();
      if (process.waitFor() != 0 || !text.endsWith(DONE + "\n")) {
        throw new AssertionError("the child failed: exit=%s output=%s".formatted(process, text));
      }
      return text;
    }
  }
}
