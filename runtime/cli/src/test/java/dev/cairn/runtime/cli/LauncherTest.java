package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher script, copied into a folder of its own, with JDKs and a Maven that only say how they were called. What
 * it does with the real program is in {@link LaunchedProgramTest}.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "skipped: the launcher is for Linux")
@Timeout(300)
class LauncherTest {
  private static final Path SCRIPT = Path.of(System.getProperty("cairn.root", "../.."), "cairn");
  private static final List<String> TOOLS = List.of("bash", "dirname", "find", "flock", "grep", "head", "mkdir", "mv",
    "readlink", "rm", "sed", "sleep", "sort", "tail", "touch");
  private static final String BOTH_LINES = "something\nsomething else\n";

  @TempDir
  private Path temporary;

  private Path home;
  private Path tools;
  private Path dist;
  private final Map<String, String> environment = new LinkedHashMap<>();

  @BeforeEach
  void setUp() throws IOException {
    home = Files.createDirectories(temporary.resolve("a house/with spaces"));
    Files.copy(SCRIPT, home.resolve("cairn"));
    executable(home.resolve("cairn"));
    tools = Files.createDirectories(temporary.resolve("tools"));
    for (String tool : TOOLS) {
      Path there = Path.of("/usr/bin", tool);
      Files.createSymbolicLink(tools.resolve(tool), Files.exists(there) ? there : Path.of("/bin", tool));
    }
    dist = Files.createDirectories(home.resolve("runtime/cli/target/cairn"));
    Files.createDirectories(dist.resolve("lib"));
    Files.createFile(dist.resolve("lib/b.jar"));
    Files.createFile(dist.resolve("lib/a.jar"));
    Files.createFile(dist.resolve("built"));
    environment.put("PATH", tools.toString());
    environment.put("CAIRN_JVM_FOLDERS", temporary.resolve("jvm one") + ":" + temporary.resolve("jvm2"));
  }

  @Test
  void aFolderThatCannotBeWrittenIsToldInThreeLines() throws Exception {
    jdkOfVersion("jvm2/a", "25.0.3");
    Files.delete(dist.resolve("built"));
    Files.move(dist, temporary.resolve("elsewhere"));
    Files.createFile(dist);
    launch("run").failedWith(ExitCode.OTHER, "Cairn must be built, and its folder cannot be written",
      dist + ": there is no build", "copy the checkout");
  }

  private static void executable(Path file) {
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** A JDK whose java prints its own folder's name and its last arguments, a line each. */
  private Path jdk(String folder, String release) throws IOException {
    Path jdk = Files.createDirectories(temporary.resolve(folder));
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), release);
    script(jdk.resolve("bin/java"), """
      echo "jdk=%s"
      while [ $# -gt 0 ] && [ "${1#dev.cairn.runtime.cli.}" = "$1" ]; do
        echo "option=$1"
        case $1 in -XX:AOTCacheOutput=*) made=${1#*=} ;; esac
        shift
      done
      if [ "$1" != dev.cairn.runtime.cli.Main ]; then
        [ -z "${CAIRN_NO_ARCHIVE:-}" ] || exit 1
        echo "made by $1" >"$made"
        echo made >>"$(dirname "$made")/made"
        exit
      fi
      shift
      for word in "$@"; do echo "word=$word"; done
      echo 'something' >&2
      echo 'something else' >&2
      [ "${1:-}" != fail ] || exit 3
      """.formatted(folder));
    return jdk;
  }

  private Path jdkOfVersion(String folder, String version) throws IOException {
    return jdk(folder, "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"%s\"\nOS_ARCH=\"x86_64\"\n".formatted(version));
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + text);
    executable(file);
  }

  private Outcome launch(String... arguments) throws Exception {
    return launch(home.resolve("cairn"), arguments);
  }

  private Outcome launch(Path launcher, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(Arrays.asList(arguments));
    Path out = temporary.resolve("out.txt");
    var builder = new ProcessBuilder(command).directory(temporary.toFile()).redirectOutput(out.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), Files.readString(out), err);
  }

  private void assertPicks(String folder) throws Exception {
    Outcome outcome = launch("version");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).startsWith("jdk=" + folder + "\n").endsWith("word=version\n");
  }

  @Test
  void withoutAnyJdkThereAreThreeLines() throws Exception {
    launch("run").failedWith(ExitCode.MACHINE_LACKS, "no JDK 25.0.3 or later", "seen: none", "CAIRN_JAVA_HOME");
  }

  @Test
  void jdksThatAreTooOldAreNamed() throws Exception {
    jdkOfVersion("jvm one/jdk-17", "17.0.15");
    jdkOfVersion("jvm2/jdk-25", "25.0.2");
    jdkOfVersion("jvm2/jdk-25-first", "25");
    jdkOfVersion("jvm2/jdk-8", "1.8.0_412");
    jdk("jvm2/nonsense", "no version here");
    environment.put("JAVA_HOME", jdkOfVersion("home", "21.0.9").toString());
    Files.createSymbolicLink(tools.resolve("java"), jdkOfVersion("path", "24.0.2").resolve("bin/java"));
    launch("run").failedWith(ExitCode.MACHINE_LACKS, "home (21.0.9), ", "path (24.0.2), ", "jvm one/jdk-17 (17.0.15), ",
      "jvm2/jdk-25 (25.0.2), ", "jvm2/jdk-25-first (25), ", "jvm2/jdk-8 (1.8.0)");
  }

  @Test
  void theLeastVersionFits() throws Exception {
    jdkOfVersion("jvm one/a", "25.0.2");
    jdkOfVersion("jvm one/b", "17");
    jdkOfVersion("jvm2/c", "25.0.3");
    assertPicks("jvm2/c");
  }

  @Test
  void versionsAreComparedNumberByNumber() throws Exception {
    jdkOfVersion("jvm2/a", "9.0.4");
    jdkOfVersion("jvm2/b", "25.0.10");
    assertPicks("jvm2/b");
  }

  @Test
  void aFolderThatOnlyLooksLikeAJdkIsPassedOver() throws Exception {
    Files.delete(jdkOfVersion("jvm2/a", "25.0.3").resolve("bin/java"));
    Files.delete(jdkOfVersion("jvm2/b", "25.0.3").resolve("release"));
    jdkOfVersion("jvm2/c", "26");
    assertPicks("jvm2/c");
  }

  @Test
  void whatTheUserNamesComesFirst() throws Exception {
    jdkOfVersion("jvm2/a", "25.0.3");
    Files.createSymbolicLink(tools.resolve("java"), jdkOfVersion("path", "25.0.4").resolve("bin/java"));
    assertPicks("path");
    environment.put("JAVA_HOME", jdkOfVersion("home", "25.0.5").toString());
    assertPicks("home");
    environment.put("JAVA_HOME", jdkOfVersion("old home", "17").toString());
    assertPicks("path");
    environment.put("CAIRN_JAVA_HOME", jdkOfVersion("a chosen one", "25.0.6").toString());
    assertPicks("a chosen one");
    environment.put("CAIRN_JAVA_HOME", jdkOfVersion("chosen", "25.0.1").toString());
    launch("version").failedWith(ExitCode.MACHINE_LACKS, "CAIRN_JAVA_HOME is no JDK", "version=25.0.1");
    environment.put("CAIRN_JAVA_HOME", "/no/such/folder");
    launch("version").failedWith(ExitCode.MACHINE_LACKS, "/no/such/folder");
  }

  @Test
  void wordsAndExitCodeArePassedOnAndStandardErrorIsNotFiltered() throws Exception {
    jdkOfVersion("jvm one/jdk 25", "25.0.3");
    environment.put("CAIRN_JVM_OPTIONS", "-Xmx1g  -Da=*");
    Outcome outcome = launch("fail", "", "two words", "*", "-o=$HOME", "a\nb");
    assertThat(outcome.code()).isEqualTo(3);
    assertThat(outcome.err()).isEqualTo(BOTH_LINES);
    assertThat(outcome.out()).endsWith("word=fail\nword=\nword=two words\nword=*\nword=-o=$HOME\nword=a\nb\n").contains(
      "option=-Xmx1g\noption=-Da=*\n", "option=-XX:AOTCache=" + dist + "/cairn-25.0.3.aot\n",
      "option=-Dcairn.terminal=false");
  }

  @Test
  void theLauncherMayBeALink() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    Path inner = Files.createSymbolicLink(temporary.resolve("inner"), home.resolve("cairn"));
    Path outer = Files.createSymbolicLink(Files.createDirectories(temporary.resolve("my bin")).resolve("cairn"), inner);
    assertThat(launch(outer, "x").out()).contains("option=" + dist + "/lib/a.jar:" + dist + "/lib/b.jar\n");
  }

  @Test
  void buildsOnceAndAgainWhenASourceIsNewer() throws Exception {
    Path jdk = jdkOfVersion("jvm2/jdk", "25.0.3");
    Files.delete(dist.resolve("built"));
    script(tools.resolve("mvn"), "echo \"[INFO] mvn in $PWD with $JAVA25_HOME: $*\"");
    Outcome first = launch("x");
    assertThat(first.err()).contains("cairn: building", "cairn: built in ").doesNotContain("[INFO]");
    assertThat(first.out()).as("nothing of the build").startsWith("jdk=").endsWith("word=x\n").containsOnlyOnce("jdk=");
    assertThat(Files.readString(dist.resolve("build.log"))).contains("mvn in " + home + " with " + jdk + ": ",
      "runtime/cli -am");
    assertThat(dist.resolve("made")).hasContent("made");
    assertThat(launch("x").err()).isEqualTo(BOTH_LINES);
    Path source = Files.createDirectories(home.resolve("kernels/src/main/java")).resolve("New.java");
    Files.writeString(source, "class New {}");
    assertThat(source.toFile().setLastModified(System.currentTimeMillis() + 5000)).isTrue();
    assertThat(launch("x").err()).contains("cairn: built in ");
  }

  @Test
  void aBuildThatFailsIsThreeLinesAndIsTriedAgain() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    Files.delete(dist.resolve("built"));
    script(tools.resolve("mvn"),
      "echo '[INFO] so far so good'; echo '[ERROR] no such class'; echo '[ERROR] more'; exit 1");
    for (int i = 0; i < 2; i++) {
      Outcome outcome = launch("x");
      assertThat(outcome.err()).startsWith("cairn: building");
      new Outcome(outcome.code(), outcome.out(), outcome.err().substring(outcome.err().indexOf('\n') + 1)).failedWith(
        ExitCode.OTHER, "[ERROR] no such class", "build.log", "mvn -pl runtime/cli");
    }
    Files.delete(tools.resolve("mvn"));
    launch("x").failedWith(ExitCode.MACHINE_LACKS, "Maven is needed", "apt-get install maven");
  }

  @Test
  void theAotCacheIsMadeForTheJarsAndTheJdkThatAreThere() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    Path made = dist.resolve("made");
    for (int i = 0; i < 2; i++) {
      assertThat(launch("x").out()).contains("option=-XX:AOTCache=" + dist + "/cairn-25.0.3.aot\n");
      assertThat(made).hasContent("made");
    }
    assertThat(dist.resolve("lib/a.jar").toFile().setLastModified(System.currentTimeMillis() + 5000)).isTrue();
    assertThat(launch("x").err()).isEqualTo(BOTH_LINES);
    assertThat(made).as("a jar is newer").hasContent("made\nmade");
    assertThat(dist.resolve("lib/a.jar").toFile().setLastModified(System.currentTimeMillis() - 5000)).isTrue();
    environment.put("CAIRN_JAVA_HOME", jdkOfVersion("other", "25.0.4").toString());
    assertThat(launch("x").out()).contains("option=-XX:AOTCache=" + dist + "/cairn-25.0.4.aot\n");
    assertThat(dist.resolve("cairn-25.0.3.aot")).doesNotExist();
  }

  @Test
  void anAotCacheThatCannotBeMadeIsDoneWithout() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    environment.put("CAIRN_NO_ARCHIVE", "1");
    for (int i = 0; i < 2; i++) {
      Outcome outcome = launch("x");
      assertThat(outcome.err()).isEqualTo(BOTH_LINES);
      assertThat(outcome.out()).endsWith("word=x\n").doesNotContain("AOTCache");
      environment.remove("CAIRN_NO_ARCHIVE");
    }
    assertThat(dist.resolve("made")).as("one attempt is enough").doesNotExist();
  }

  private Path simulatorBuild(String text) throws IOException {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    Path folder = Files.createDirectories(home.resolve("native-tests/simulator"));
    script(folder.resolve("build.sh"), text);
    return folder.resolve("target/lib/libcuda.so.1");
  }

  @Test
  void theSimulatorIsBuiltWhenItIsAskedForAndNotThere() throws Exception {
    Path library = simulatorBuild("cd \"$(dirname \"$0\")\"; mkdir -p target/lib; echo one >>target/lib/libcuda.so.1");
    assertThat(launch("run", "--device", "cpu").err()).isEqualTo(BOTH_LINES);
    assertThat(library).doesNotExist();
    assertThat(launch("run", "--device", "sim").err()).startsWith("cairn: building the CUDA simulator").contains(
      "cairn: built the simulator in ");
    assertThat(library).hasContent("one");
    assertThat(launch("run", "--device=sim").err()).isEqualTo(BOTH_LINES);
    assertThat(library).hasContent("one");
  }

  @Test
  void aSimulatorOfOnesOwnIsNotBuilt() throws Exception {
    Path library = simulatorBuild("exit 1");
    environment.put("CAIRN_SIMULATOR", temporary.toString());
    assertThat(launch("run", "--device=sim").err()).isEqualTo(BOTH_LINES);
    assertThat(library).doesNotExist();
  }

  @Test
  void aSimulatorThatCannotBeBuiltIsThreeLines() throws Exception {
    simulatorBuild("echo 'no such header'; exit 1");
    Outcome outcome = launch("run", "--device", "sim");
    new Outcome(outcome.code(), outcome.out(), outcome.err().substring(outcome.err().indexOf('\n') + 1)).failedWith(
      ExitCode.OTHER, "the simulator could not be built", "no such header", "simulator.log", "simulator/build.sh");
  }
}
