package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command line in a real terminal, tmux's: what its screen shows in the end, and on the way. The terminal also
 * writes to a pipe what the program prints, so that the test sees what has happened, and asks for the screen then.
 */
@Tag("long")
class TerminalTest {
  private static final String BENCH = "./cairn bench mlp --warmup 1 --duration ";
  private static final String ENDLESS = BENCH + "100000; echo end $?";
  private static final Pattern PROGRESS = Pattern.compile("timing ");
  private static final Pattern END = Pattern.compile("end [0-9]+");
  private static final List<String> LABELS = List.of("model", "device", "load", "latency", "rate", "memory");
  private static final int NARROW = 60;

  @TempDir
  private static Path home;

  @TempDir
  private Path folder;

  private Path begins;
  private Path printed;
  private InputStream output = InputStream.nullInputStream();
  private String unread = "";

  @BeforeAll
  static void install() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/tmux")), "skipped: no tmux (Debian, Ubuntu: apt-get install tmux)");
    InstalledLauncher.into(home);
    Files.writeString(home.resolve("conf"), "set -g remain-on-exit on\nset -g remain-on-exit-format ''\n");
  }

  @BeforeEach
  void makePipes() throws IOException, InterruptedException {
    begins = folder.resolve("begins");
    printed = folder.resolve("printed");
    assertThat(new ProcessBuilder("mkfifo", begins.toString(), printed.toString()).start().waitFor()).isZero();
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    output.close();
    if (Files.exists(folder.resolve("socket"))) {
      tmux("kill-server");
    }
  }

  private String tmux(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(
      List.of("/usr/bin/tmux", "-S", folder.resolve("socket").toString(), "-f", "conf"));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
    builder.environment().remove("TMUX");
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("CAIRN_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** Starts the script, which waits until its output goes to the pipe, too. */
  private void start(int columns, String script) throws IOException, InterruptedException {
    tmux("new-session", "-d", "-x", String.valueOf(columns), "-y", "40", "read -r _ <'" + begins + "'; " + script);
    tmux("pipe-pane", "exec cat >'" + printed + "'");
    output = Files.newInputStream(printed);
    Files.writeString(begins, "\n");
  }

  /** Reads on until the program has printed this, or has ended; the terminal has shown it by then. */
  private void awaitPrinted(Pattern wanted) throws IOException {
    byte[] bytes = new byte[1 << 12];
    while (true) {
      Matcher found = wanted.matcher(unread);
      if (found.find()) {
        unread = unread.substring(found.end());
        return;
      }
      if (END.matcher(unread).find()) {
        return;
      }
      int count = output.read(bytes);
      assertThat(count).as(unread).isPositive();
      unread += new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
    }
  }

  /** All lines since the start; those that the terminal wrapped are whole again. */
  private List<String> screen() throws IOException, InterruptedException {
    return tmux("capture-pane", "-p", "-J", "-S", "-").lines().map(String::stripTrailing).toList();
  }

  private List<String> lastScreen() throws IOException, InterruptedException {
    awaitPrinted(END);
    List<String> lines = screen();
    int end = 0;
    while (!lines.get(end).startsWith("end ")) {
      end++;
    }
    assertThat(lines.subList(end + 1, lines.size())).allMatch(String::isEmpty);
    return lines.subList(0, end + 1);
  }

  /** Exactly the lines of a result: each label once, in order, nothing before, between or after them. */
  private static void assertIsOneResult(List<String> screen, String what) {
    assertThat(screen).as(what + "\n" + String.join("\n", screen)).hasSize(LABELS.size() + 1);
    for (int i = 0; i < LABELS.size(); i++) {
      assertThat(screen.get(i)).as(what).startsWith(LABELS.get(i) + " ");
    }
    assertThat(screen.getLast()).as(what).isEqualTo("end 0");
  }

  private void assertShowsProgressAlone() throws IOException, InterruptedException {
    List<String> screen = screen().stream().filter(it -> !it.isBlank()).toList();
    assertThat(screen).singleElement().asString().startsWith("timing ").hasSizeLessThan(NARROW);
  }

  @Test
  void aNarrowScreenShowsProgressInOneLine() throws Exception {
    start(NARROW, ENDLESS);
    awaitPrinted(PROGRESS);
    assertShowsProgressAlone();
    awaitPrinted(PROGRESS);
    assertShowsProgressAlone();
    assertThat(tmux("capture-pane", "-p", "-e", "-S", "-")).as("colours").doesNotContain("\u001b");
  }

  @Test
  void aResizedScreenShowsProgressInOneLine() throws Exception {
    start(100, ENDLESS);
    awaitPrinted(PROGRESS);
    tmux("resize-window", "-x", String.valueOf(NARROW), "-y", "20");
    unread = "";
    awaitPrinted(PROGRESS);
    assertShowsProgressAlone();
    tmux("resize-window", "-x", "120", "-y", "30");
    unread = "";
    awaitPrinted(PROGRESS);
    assertShowsProgressAlone();
  }

  /** Narrow from the start, and while progress is shown: no line of the result is lost, and none is left before it. */
  @Test
  void theResultStandsAloneWhereProgressWasShown() throws Exception {
    start(100, BENCH + "1; echo end $?");
    awaitPrinted(PROGRESS);
    tmux("resize-window", "-x", String.valueOf(NARROW), "-y", "20");
    assertIsOneResult(lastScreen(), "60 columns");
    assertThat(tmux("capture-pane", "-p", "-e", "-S", "-")).as("colours").doesNotContain("\u001b");
  }

  @Test
  void aFailureStandsAlone() throws Exception {
    start(NARROW, "./cairn run nosuch; echo end $?");
    List<String> screen = lastScreen();
    assertThat(screen).as(String.join("\n", screen)).hasSize(4);
    assertThat(screen.getFirst()).isEqualTo("cairn: the model cannot be read");
    assertThat(screen.getLast()).isEqualTo("end 3");
  }

  @Test
  void pipesFilesAndSimpleTerminalsHaveResultsAlone() throws Exception {
    start(NARROW, String.join("; ", BENCH + "0.3 | cat >piped", BENCH + "0.3 >out", "NO_COLOR=1 " + BENCH
      + "0.3 >both 2>&1", BENCH + "0.3 2>err >none",
      "TERM=dumb " + BENCH
        + "0.6; echo end $?"));
    assertIsOneResult(lastScreen(), "TERM=dumb");
    for (String file : List.of("piped", "out", "both")) {
      List<String> lines = new ArrayList<>(Files.readAllLines(home.resolve(file)));
      lines.add("end 0");
      assertIsOneResult(lines, file);
    }
    assertThat(home.resolve("err")).isEmptyFile();
  }
}
