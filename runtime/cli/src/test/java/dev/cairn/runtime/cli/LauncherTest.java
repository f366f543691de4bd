package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher and the script that builds, copied into a folder of their own, with JDKs and a Maven that only say how
 * they were called. What the launcher does with the real program is in {@link LaunchedProgramTest}.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "skipped: the launcher is for Linux")
class LauncherTest {
  /** All that a start may call; it has no tool to search the sources with. */
  private static final List<String> TOOLS = List.of("bash", "readlink");
  private static final List<String> TOOLS_OF_BUILDS = List.of("awk", "find", "flock", "grep", "mkdir", "mv", "rm",
    "sed",
    "tail", "touch");
  private static final String VERBS = "runtime/cli/src/main/java/dev/cairn/runtime/cli/Verb.java";
  private static final String BOTH_LINES = "something\nsomething else\n";
  private static final Instant BUILT = Instant.parse("2020-01-02T00:00:00Z");

  @TempDir
  private Path temporary;

  private Path home;
  private Path tools;
  private Path dist;
  private final Map<String, String> environment = new LinkedHashMap<>();

  @BeforeEach
  void setUp() throws IOException {
    home = Files.createDirectories(temporary.resolve("a house/with spaces"));
    for (String script : List.of("cairn", "build.sh")) {
      Files.copy(ProductSources.ROOT.resolve(script), home.resolve(script));
      executable(home.resolve(script));
    }
    tools = Files.createDirectories(temporary.resolve("tools"));
    link(TOOLS);
    dist = Files.createDirectories(home.resolve("runtime/cli/target/cairn"));
    Files.createDirectories(dist.resolve("lib"));
    Files.createFile(dist.resolve("lib/b.jar"));
    Files.createFile(dist.resolve("lib/a.jar"));
    Files.createFile(dist.resolve("built"));
    setTime(dist.resolve("built"), 0);
    environment.put("PATH", tools.toString());
    environment.put("CAIRN_JVM_FOLDERS", temporary.resolve("jvm one") + ":" + temporary.resolve("jvm2"));
  }

  private void link(List<String> names) throws IOException {
    for (String tool : names) {
      Path there = Path.of("/usr/bin", tool);
      Files.createSymbolicLink(tools.resolve(tool), Files.exists(there) ? there : Path.of("/bin", tool));
    }
  }

  /** Puts a Maven there that says how it was called, and then runs this, with all the tools that a build takes. */
  private void maven(String text) throws IOException {
    if (!Files.exists(tools.resolve("find"))) {
      link(TOOLS_OF_BUILDS);
    }
    script(tools.resolve("mvn"), "echo \"$*\" >>'" + temporary.resolve("builds") + "'\n" + text);
  }

  private List<String> builds() throws IOException {
    Path calls = temporary.resolve("builds");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  /** Makes a file so many seconds younger than the build. */
  private static void setTime(Path file, int seconds) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(BUILT.plusSeconds(seconds)));
  }

  private Path write(String file, int seconds) throws IOException {
    Path path = home.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, "text");
    setTime(path, seconds);
    return path;
  }

  /** A source file that is older or younger than the build, in folders that are older. */
  private void source(int seconds) throws IOException {
    write("kernels/src/main/java/New.java", seconds);
    for (String folder : List.of("kernels", "kernels/src", "kernels/src/main", "kernels/src/main/java")) {
      setTime(home.resolve(folder), -100);
    }
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
      echo "locale=${LC_ALL:-} simulator=${CAIRN_SIMULATOR:-}"
      while [ $# -gt 0 ] && [ "${1#dev.cairn.runtime.cli.}" = "$1" ]; do
        echo "option=$1"
        case $1 in -XX:AOTCacheOutput=*) made=${1#*=} ;; esac
        shift
      done
      if [ "$1" = dev.cairn.runtime.cli.ClassFileUpgrade ]; then
        exit "${CAIRN_NO_UPGRADE:-0}"
      fi
      if [ "$1" != dev.cairn.runtime.cli.Main ]; then
        [ -z "${CAIRN_NO_ARCHIVE:-}" ] || exit 1
        echo "made by $1" >"$made"
        echo made >>"${made%%/*}/made"
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

  private Process start(Path out, List<String> command) throws IOException {
    var builder = new ProcessBuilder(command).directory(temporary.toFile()).redirectOutput(out.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Outcome run(Path program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(Arrays.asList(arguments));
    Path out = temporary.resolve("out.txt");
    return end(start(out, command), out);
  }

  private static Outcome end(Process process, Path out) throws Exception {
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), Files.readString(out), err);
  }

  private Outcome launch(String... arguments) throws Exception {
    return run(home.resolve("cairn"), arguments);
  }

  /** Starts the launcher where there is no script that builds. */
  private Outcome launchAlone(String... arguments) throws Exception {
    Path script = home.resolve("build.sh");
    Path away = Files.move(script, home.resolve("away.sh"));
    Outcome outcome = launch(arguments);
    Files.move(away, script);
    return outcome;
  }

  private Outcome build(String... arguments) throws Exception {
    return run(home.resolve("build.sh"), arguments);
  }

  /** What a shell does with this script; the script's only tools are those of a start. */
  private Outcome shell(String script) throws Exception {
    return run(tools.resolve("bash"), "-c", script);
  }

  private void assertRuns(Outcome outcome) {
    assertThat(outcome.err()).isEqualTo(BOTH_LINES);
    assertThat(outcome.code()).isZero();
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

  @ParameterizedTest
  @ValueSource(strings = {"25.0.3.1", "25.0.4", "25.1", "26", "100.0.0", "25.0.08"})
  void laterVersionsFit(String version) throws Exception {
    jdkOfVersion("jvm2/a", version);
    assertPicks("jvm2/a");
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
    Files.writeString(dist.resolve("cairn-25.0.3.aot"), "an archive");
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
    String expected = "option=" + dist + "/lib/a.jar:" + dist + "/lib/b.jar\n";
    assertThat(run(outer, "version").out()).contains(expected);
    environment.put("CDPATH", "/usr");
    assertThat(shell("cd 'a house' && 'with spaces/cairn' version").out()).as("started by a relative path").contains(
      expected);
    assertThat(shell("cd 'a house/with spaces' && bash cairn version").out()).as("by its name").contains(expected);
  }

  @Test
  void streamsThatAreClosedAreNotTheScript() throws Exception {
    script(jdkOfVersion("jvm2/jdk", "25.0.3").resolve("bin/java"),
      "for stream in 0 1 2; do readlink /proc/$$/fd/$stream; done >'" + temporary.resolve("streams") + "'");
    Outcome outcome = shell("'" + home.resolve("cairn") + "' version <&- >&- 2>&-");
    assertThat(outcome).isEqualTo(new Outcome(0, "", ""));
    List<String> streams = Files.readAllLines(temporary.resolve("streams"));
    assertThat(streams.getFirst()).isEqualTo("/dev/null");
    assertThat(streams.getLast()).isEqualTo("/dev/null");
  }

  @Test
  void resultsForAClosedStreamAreAFailure() throws Exception {
    script(jdkOfVersion("jvm2/jdk", "25.0.3").resolve("bin/java"), "[ /dev/stdout -ef /dev/full ]");
    assertThat(shell("'" + home.resolve("cairn") + "' version >&-").code()).isZero();
    assertThat(shell("'" + home.resolve("cairn") + "' version").code()).isEqualTo(1);
  }

  @Test
  void thePlainLocaleBecomesOneThatCanNameFiles() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    assertThat(launch("version").out()).contains("locale=C.UTF-8 ");
    environment.put("LC_ALL", "C");
    assertThat(launch("version").out()).contains("locale=C.UTF-8 ");
    environment.remove("LC_ALL");
    environment.put("LANG", "C.UTF-8");
    assertThat(launch("version").out()).as("it is one already").contains("locale= ");
  }

  @Test
  void sourcedItGivesItsFunctionsAndOptionsAndStartsNothing() throws Exception {
    Path jdk = jdkOfVersion("jvm2/jdk", "25.0.3");
    Outcome outcome = shell("""
      set -euo pipefail
      . 'a house/with spaces/cairn'
      find_java_home
      find_jars "$root/runtime/cli/target/cairn/lib"
      echo "$root,$java_home,$jars"
      echo "$module_option ${heap_options[0]} ${compiler_options[0]} ${options[0]}"
      (fail 6 a b c) || echo "code $?"
      """);
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEqualTo("cairn: a\n  b\n  c\n");
    assertThat(outcome.out().lines()).containsExactly(
      home + "," + jdk + "," + dist + "/lib/a.jar:" + dist + "/lib/b.jar",
      "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED -XX:+UseSerialGC -XX:Tier4InvocationThreshold=20000 "
        + "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
      "code 6");
  }

  @Test
  void buildsWhenThereIsNoBuild() throws Exception {
    Path jdk = jdkOfVersion("jvm2/jdk", "25.0.3");
    Files.delete(dist.resolve("built"));
    maven("echo \"[INFO] mvn in $PWD with $JAVA25_HOME\"");
    Outcome first = launch("x");
    assertThat(first.err()).contains("cairn: building", "cairn: built in ").doesNotContain("[INFO]");
    assertThat(first.out()).as("nothing of the build").startsWith("jdk=").endsWith("word=x\n").containsOnlyOnce("jdk=");
    assertThat(Files.readString(dist.resolve("build.log"))).contains("mvn in " + home + " with " + jdk);
    assertThat(builds()).singleElement().asString().contains("runtime/cli -am", "package");
    assertThat(dist.resolve("made")).hasContent("made");
    assertRuns(launch("x"));
    assertThat(builds()).hasSize(1);
  }

  @Test
  void anEditIsNoticedByBuildShAndNotByAStart() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    archive();
    source(50);
    assertRuns(launchAlone("x"));
    maven("");
    assertThat(build().err()).contains("cairn: building", "cairn: built in ");
    assertThat(build().err()).isEqualTo("cairn: no source is newer than the build\n");
    assertThat(builds()).hasSize(1);
  }

  /** An AOT cache of the jars that are there. */
  private void archive() throws IOException {
    Files.writeString(dist.resolve("cairn-25.0.3.aot"), "an archive");
  }

  @Test
  void aChangeByGitIsComparedWithTheSourcesOnce() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    archive();
    source(-50);
    write(".git/index", -10);
    assertRuns(launchAlone("x"));
    write(".git/index", 10);
    assertThat(launchAlone("x").code()).as("it asks the script").isNotZero();
    maven("");
    assertRuns(launch("x"));
    assertThat(builds()).as("git wrote no source").isEmpty();
    assertRuns(launchAlone("x"));
  }

  @Test
  void sourcesThatGitWroteAreBuilt() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    archive();
    source(5);
    write(".git/index", 10);
    maven("");
    assertThat(launch("x").err()).contains("cairn: built in ").endsWith(BOTH_LINES);
    assertRuns(launch("x"));
    assertThat(builds()).hasSize(1);
  }

  @Test
  void theIndexOfAWorktreeIsWhereItsFileSays() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    archive();
    source(5);
    Path gits = Files.createDirectories(temporary.resolve("project/.git/worktrees/other"));
    Files.writeString(home.resolve(".git"), "gitdir: " + gits + "\n");
    Files.writeString(gits.resolve("index"), "index");
    setTime(gits.resolve("index"), 10);
    maven("");
    assertThat(launch("x").err()).contains("cairn: built in ");
    Files.writeString(home.resolve(".git"), "gitdir: ../../project/.git/worktrees/other\n");
    setTime(dist.resolve("built"), 0);
    assertThat(launch("x").err()).as("a relative path").contains("cairn: built in ");
  }

  @Test
  void aFileThatIsGoneIsAChange() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    archive();
    source(-50);
    setTime(home.resolve("kernels/src/main/java"), 5);
    maven("");
    assertThat(build().err()).contains("cairn: built in ");
  }

  @Test
  void optionsOfMavenAlwaysBuild() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    source(-50);
    maven("");
    assertThat(build("-Pprecompiled", "-Da=b c").err()).contains("cairn: built in ");
    assertThat(builds()).singleElement().asString().endsWith(" -Pprecompiled -Da=b c package");
  }

  @Test
  void theScriptThatBuildsExplainsItself() throws Exception {
    link(TOOLS_OF_BUILDS);
    Outcome outcome = build("--help");
    assertThat(outcome.out()).contains("./build.sh simulator").doesNotContain("#", "set -");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void theListOfVerbsNeedsNoBuild() throws Exception {
    Files.delete(dist.resolve("built"));
    link(TOOLS_OF_BUILDS);
    Files.createDirectories(home.resolve(VERBS).getParent());
    Files.copy(ProductSources.ROOT.resolve(VERBS), home.resolve(VERBS));
    Outcome outcome = launch();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).startsWith(Verb.list(200).substring(0, Verb.list(200).indexOf("\n\n'cairn help VERB'")))
      .contains("is not built yet", home.resolve("build.sh").toString());
    for (String word : List.of("help", "--help", "-h")) {
      assertThat(launch(word)).as(word).isEqualTo(outcome);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "--version", "completion", "doctor", "help run", "run --help", "run --all",
    "run mlp -h"})
  void otherHelpWithoutABuildSaysWhatBuilds(String words) throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    Files.delete(dist.resolve("built"));
    Outcome outcome = launchAlone(words.split(" ", -1));
    assertThat(outcome.out()).isEmpty();
    outcome.failedWith(ExitCode.OTHER, "is not built", "no build in " + dist, home.resolve("build.sh").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "help", "version", "--version", "completion", "doctor -v", "help run", "run --help",
    "run --all"})
  void helpNeverBuilds(String words) throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    source(5);
    write(".git/index", 10);
    assertRuns(launchAlone(words.isEmpty() ? new String[0] : words.split(" ", -1)));
  }

  @Test
  void twoStartsAtATimeBuildOnce() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    Files.delete(dist.resolve("built"));
    for (String pipe : List.of("locks", "begins", "goes on")) {
      assertThat(new ProcessBuilder("mkfifo", temporary.resolve(pipe).toString()).start().waitFor()).isZero();
    }
    maven("cd '%s'; echo >begins; read -r _ <'goes on'".formatted(temporary));
    Files.delete(tools.resolve("flock"));
    script(tools.resolve("flock"), "echo >'%s'; exec /usr/bin/flock \"$@\"".formatted(temporary.resolve("locks")));
    Path launcher = home.resolve("cairn");
    Process first = start(temporary.resolve("first"), List.of(launcher.toString(), "x"));
    await("locks");
    await("begins");
    Process second = start(temporary.resolve("second"), List.of(launcher.toString(), "x"));
    await("locks");
    Files.writeString(temporary.resolve("goes on"), "\n");
    assertThat(end(first, temporary.resolve("first")).err()).contains("cairn: built in ");
    assertRuns(end(second, temporary.resolve("second")));
    assertThat(builds()).hasSize(1);
  }

  /** Waits until a script has written to this pipe. */
  private void await(String pipe) throws IOException {
    assertThat(Files.readString(temporary.resolve(pipe))).isEqualTo("\n");
  }

  @Test
  void aBuildThatFailsIsThreeLinesAndIsTriedAgain() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    source(5);
    write(".git/index", 10);
    maven("echo '[INFO] so far so good'; echo '[ERROR] no such class'; echo '[ERROR] more'; exit 1");
    for (int i = 0; i < 2; i++) {
      Outcome outcome = launch("x");
      assertThat(outcome.err()).startsWith("cairn: building");
      new Outcome(outcome.code(), outcome.out(), outcome.err().substring(outcome.err().indexOf('\n') + 1)).failedWith(
        ExitCode.OTHER, "[ERROR] no such class", "build.log", "mvn -pl runtime/cli");
    }
    assertThat(builds()).hasSize(2);
    Files.delete(tools.resolve("mvn"));
    launch("x").failedWith(ExitCode.MACHINE_LACKS, "Maven is needed", "apt-get install maven");
  }

  @Test
  void aBuildThatIsKilledIsNoBuild() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    maven("kill -9 $PPID");
    assertThat(build("-q").code()).as("killed").isEqualTo(128 + 9);
    maven("");
    assertThat(launch("x").err()).contains("cairn: built in ").endsWith(BOTH_LINES);
  }

  @Test
  void aFolderThatCannotBeWrittenIsToldInThreeLines() throws Exception {
    jdkOfVersion("jvm2/a", "25.0.3");
    Files.delete(dist.resolve("built"));
    Files.move(dist, temporary.resolve("elsewhere"));
    Files.createFile(dist);
    link(TOOLS_OF_BUILDS);
    launch("run").failedWith(ExitCode.OTHER, "Cairn must be built, and its folder cannot be written",
      dist + ": there is no build", "copy the checkout");
    build("simulator").failedWith(ExitCode.OTHER, "the simulator must be built", dist.toString(), "copy the checkout");
  }

  @Test
  void theAotCacheIsMadeForTheJarsAndTheJdkThatAreThere() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    link(TOOLS_OF_BUILDS);
    Path made = dist.resolve("made");
    for (int i = 0; i < 2; i++) {
      assertThat(launch("x").out()).contains("option=-XX:AOTCache=" + dist + "/cairn-25.0.3.aot\n");
      assertThat(made).hasContent("made");
    }
    Path archive = dist.resolve("cairn-25.0.3.aot");
    setTime(archive, 10);
    setTime(dist.resolve("lib/a.jar"), 20);
    setTime(dist.resolve("lib/b.jar"), 0);
    assertRuns(launch("x"));
    assertThat(made).as("a jar is newer").hasContent("made\nmade");
    environment.put("CAIRN_JAVA_HOME", jdkOfVersion("other", "25.0.4").toString());
    assertThat(launch("x").out()).contains("option=-XX:AOTCache=" + dist + "/cairn-25.0.4.aot\n");
    assertThat(archive).doesNotExist();
  }

  @Test
  void anAotCacheThatCannotBeMadeIsDoneWithout() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    link(TOOLS_OF_BUILDS);
    environment.put("CAIRN_NO_ARCHIVE", "1");
    for (int i = 0; i < 2; i++) {
      Outcome outcome = launch("x");
      assertRuns(outcome);
      assertThat(outcome.out()).endsWith("word=x\n").doesNotContain("AOTCache");
      environment.remove("CAIRN_NO_ARCHIVE");
    }
    assertThat(dist.resolve("made")).as("one attempt is enough").doesNotExist();
  }

  @Test
  void anAotCacheIsMadeAlsoWhereClassesCannotBeUpgraded() throws Exception {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    link(TOOLS_OF_BUILDS);
    environment.put("CAIRN_NO_UPGRADE", "1");
    Outcome outcome = launch("x");
    assertRuns(outcome);
    assertThat(outcome.out()).contains("option=-XX:AOTCache=");
  }

  private Path simulatorBuild(String text) throws IOException {
    jdkOfVersion("jvm2/jdk", "25.0.3");
    archive();
    link(TOOLS_OF_BUILDS);
    Path folder = Files.createDirectories(home.resolve("native-tests/simulator"));
    script(folder.resolve("build.sh"), text);
    return folder.resolve("target/lib/libcuda.so.1");
  }

  @Test
  void theSimulatorIsBuiltWhenItIsAskedForAndNotThere() throws Exception {
    Path library = simulatorBuild("cd \"${0%/*}\"; mkdir -p target/lib; echo one >>target/lib/libcuda.so.1");
    assertRuns(launch("run", "--device", "cpu"));
    assertRuns(launch("run", "--device", "sim", "--help"));
    assertThat(library).doesNotExist();
    Outcome built = launch("run", "--device", "sim");
    assertThat(built.err()).startsWith("cairn: building the CUDA simulator").contains(
      "cairn: built the simulator in ");
    assertThat(built.out()).startsWith("jdk=").contains(" simulator=" + library.getParent() + "\n");
    assertThat(library).hasContent("one");
    assertRuns(launch("run", "--device=sim"));
    assertThat(library).hasContent("one");
  }

  @Test
  void theSimulatorIsBuiltAgainWhenGitWroteItsSources() throws Exception {
    Path library = simulatorBuild("cd \"${0%/*}\"; mkdir -p target/lib; echo one >>target/lib/libcuda.so.1");
    write("native-tests/simulator/src/driver/grid.cpp", 0);
    launch("run", "--device", "sim");
    setTime(home.resolve("native-tests/simulator/build.sh"), -10);
    setTime(home.resolve("native-tests/simulator/src"), -10);
    setTime(home.resolve("native-tests/simulator/src/driver"), -10);
    setTime(dist.resolve("simulator"), 10);
    write(".git/index", 20);
    setTime(dist.resolve("built"), 30);
    assertRuns(launch("run", "--device", "sim"));
    assertThat(library).as("git wrote no source of it").hasContent("one");
    setTime(dist.resolve("simulator"), 10);
    write("native-tests/simulator/src/driver/grid.cpp", 20);
    assertThat(launch("run", "--device", "sim").err()).contains("cairn: built the simulator in ");
    assertThat(library).hasContent("one\none");
  }

  @Test
  void aSimulatorOfOnesOwnIsNotBuilt() throws Exception {
    Path library = simulatorBuild("exit 1");
    environment.put("CAIRN_SIMULATOR", temporary.toString());
    Outcome outcome = launch("run", "--device=sim");
    assertRuns(outcome);
    assertThat(outcome.out()).contains(" simulator=" + temporary + "\n");
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
