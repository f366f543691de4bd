package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.runtime.zoo.Zoo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README says can be done, can be done. */
class ReadmeTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));
  private static String readme = "";

  @TempDir
  private Path folder;

  @BeforeAll
  static void read() throws IOException {
    readme = Files.readString(ROOT.resolve("README.md"));
  }

  private static List<String> found(String pattern) {
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(readme).results().map(MatchResult::group).toList();
  }

  private static String block(String language) {
    var block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(readme);
    assertThat(block.find()).as(language).isTrue();
    return block.group(1);
  }

  /** The loop as it stands, in a method, with the digits where it looks for them. */
  @Test
  void theTrainingExampleCompilesAndRuns() throws Exception {
    Path digits = ROOT.resolve("../shared/data/digits/digits.csv.gz").toAbsolutePath();
    assumeTrue(Files.exists(digits), "no data: " + digits);
    String loop = found("(?<=```java\n)ArrayDataset .*?(?=```)").getFirst();
    assertThat(loop.lines().count()).as("short").isLessThanOrEqualTo(15);
    String source = """
      import dev.cairn.runtime.budget.*;
      import dev.cairn.runtime.session.*;
      import dev.cairn.runtime.value.*;
      import dev.cairn.runtime.train.*;
      import dev.cairn.runtime.train.data.*;
      import dev.cairn.runtime.train.layer.*;
      import dev.cairn.runtime.train.loss.*;
      import dev.cairn.runtime.train.optimizer.*;
      import java.nio.file.Path;

      public class Learn {
        public static void main(String[] args) throws Exception {
          %s
        }
      }
      """.formatted(loop.replace("\"digits.csv.gz\"", '"' + digits.toString() + '"'));
    String printed = run("Learn", source);
    assertThat(printed).contains("epoch 4: loss 0.", "planned ");
  }

  private String run(String name, String text) throws Exception {
    Path source = Files.writeString(folder.resolve(name + ".java"), text);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiled = compiler
        .getTask(messages, files, null, List.of("-proc:none", "-Xlint:all,-classfile,-path", "-Werror",
          "-classpath", System.getProperty("java.class.path"), "-d", folder.toString()), null,
          files.getJavaFileObjects(source))
        .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
    var printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** The program as it stands, with a model where it looks for one. */
  @Test
  void theJavaExampleCompilesAndRuns() throws Exception {
    assertThat(block("java").lines().count()).as("short").isLessThanOrEqualTo(17);
    Path model = folder.resolve("model.onnx");
    Outcome.ok("zoo", "mlp", "-o", model);
    String printed = run("Hello", block("java").replace("\"model.onnx\"", '"' + model.toString() + '"'));
    assertThat(printed).contains("10 logits", "planned ");
  }

  @Test
  void theCommandsAreUnderstood() throws IOException {
    List<String> commands = found("(?m)^\\./cairn [^#\n]*").stream().map(String::strip).toList();
    assertThat(commands).hasSizeGreaterThanOrEqualTo(6);
    Path model = folder.resolve("model.onnx");
    Path bert = folder.resolve("bert.onnx");
    Path graph = Files.writeString(folder.resolve("graph.csv"), """
      id,name,phase,cost,bytes,reads
      0,a,forward,1,100,
      1,b,forward,1,100,
      2,c,forward,1,100,
      3,readA,backward,1,1,0
      4,readB,backward,1,1,1
      5,readC,backward,1,1,2
      """);
    Path rows = Files.writeString(folder.resolve("rows.csv"), ("1,".repeat(64) + "3\n").repeat(50));
    Path trace = Files.writeString(folder.resolve("trace.csv"), "id,lower,upper,size\na,0,2,1024\nb,1,3,2048\n");
    for (String command : commands) {
      String words = command.replace("./cairn ", "").replaceAll("\\bmodel.onnx", "mlp").replace("1x3x224x224", "2x784")
        .replace(
          "bert_base", "mlp")
        .replace("bert.onnx", bert.toString()).replace("trace.csv", trace.toString())
        .replace("graph.csv", graph.toString()).replace("problem.csv", trace.toString())
        .replace("digits.csv.gz", rows.toString())
        .replace("plan.html", folder.resolve("plan.html").toString())
        .replace("run.html", folder.resolve("run.html").toString())
        .replace("profile.json", folder.resolve("profile.json").toString());
      if (words.equals("run")) {
        // The reference model takes seconds, and is run by a test of its own; here the words count.
        words = "run mlp";
      } else if (words.equals("shell")) {
        // It reads this test's own input; ShellTest runs it.
        words = "help shell";
      }
      Outcome.ok((Object[]) words.split(" ", -1));
    }
    assertThat(bert).exists();
    assertThat(model).doesNotExist();
  }

  @Test
  void theExitCodesAreThoseOfTheProgram() {
    String sentence = found("Exit codes: 0 ok[^.]*").getFirst();
    for (ExitCode code : ExitCode.values()) {
      assertThat(sentence).containsPattern("[ ,]" + code.number() + " \\w");
    }
  }

  @Test
  void everyVerbThatItNamesIsThereAndEveryModel() {
    for (String command : found("\\./cairn \\w+")) {
      assertThat(Verb.values()).extracting(Verb::toString).contains(command.replace("./cairn ", ""));
    }
    Zoo.names().forEach(name -> assertThat(readme).contains("`" + name + "`"));
  }

  @Test
  void everyFileAndModuleThatItPointsToIsThere() {
    for (String target : found("\\]\\([^)h][^)]*\\)")) {
      String path = target.substring(2, target.length() - 1).replaceAll("#.*", "");
      if (!path.startsWith("docs/benchmarks/") && !path.equals("docs/coverage.md")) {
        // The conformance tests and the benchmarks write these two files.
        assertThat(ROOT.resolve(path)).exists();
      }
    }
    found("(?m)^\\| `[a-z/-]+` \\|")
      .forEach(row -> assertThat(ROOT.resolve(row.replaceAll("[|` ]", ""))).isDirectory());
  }
}
