package dev.cairn.runtime.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Starts main classes of this test's class path in a JVM of their own. */
final class JavaProcess {
  /** The launcher's options: the program loads the vector module itself, without the JVM's warning. */
  private static final List<String> OPTIONS = List.of("--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1");

  private JavaProcess() {}

  /** The class path of this test. */
  static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** The program {@code java} of this JVM. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A process that is not yet started. */
  static ProcessBuilder of(String classPath, Class<?> main, Object... words) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(OPTIONS);
    command.addAll(List.of("-cp", classPath, main.getName()));
    Stream.of(words).map(Object::toString).forEach(command::add);
    return new ProcessBuilder(command);
  }
}
