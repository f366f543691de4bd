package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Names that a terminal would obey, from models, files and the command line: no verb lets them through. */
class EscapedNamesTest {
  /** Retitles the window, clears the screen, turns the text around, and pretends to be a line of its own. */
  private static final String EVIL = "\u001b]0;gone\u0007\u001b[2J\u009b31m\u202ename\r\u007f";

  @TempDir
  private Path folder = Path.of("");

  private static void assertPlain(String text) {
    assertThat(text.chars().filter(it -> it != '\n' && it != '\t')).as(text).noneMatch(it -> Character.isISOControl(it)
      || Character.getType(it) == Character.FORMAT);
  }

  private Path model(String operator) throws IOException {
    var builder = new GraphBuilder(EVIL + "graph");
    builder.output(EVIL + "y", builder.apply(operator, builder.input(EVIL + "x", TensorType.of(DType.FLOAT32, 2, 3))));
    var graph = builder.build();
    Path file = folder.resolve("evil.onnx");
    if (operator.equals("Relu")) {
      OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
      return file;
    }
    var proto = SmallModels.graph(new long[] {2, 3}, "y = Relu(x)");
    proto.setNode(0, proto.getNode(0).toBuilder().setOpType(EVIL + "Op").setName(EVIL + "node"));
    return SmallModels.save(folder, proto);
  }

  @Test
  void noVerbPrintsThem() throws IOException {
    Path file = model("Relu");
    for (String verb : new String[] {"run", "inspect", "ops", "bench", "plan", "compare"}) {
      Outcome text = Outcome.of(verb, file, "-v");
      assertThat(text.code()).as(text.err()).isZero();
      assertPlain(text.out() + text.err());
      Outcome json = Outcome.of(verb, file, "--format", "json");
      assertPlain(json.out());
      Outcome.parse(json.out());
    }
    assertThat(Outcome.ok("inspect", file)).contains("\\u001b]0;gone\\u0007", "\\u202ename\\u000d");
    assertThat(Outcome.json("inspect", file).get("outputs").get(EVIL + "y").asString()).isEqualTo("float32[2x3]");
  }

  @Test
  void noErrorPrintsThem() throws IOException {
    Path file = model("other");
    for (String verb : new String[] {"run", "ops", "plan"}) {
      Outcome failed = Outcome.of(verb, file, "-v");
      assertThat(failed.code()).isEqualTo(ExitCode.UNSUPPORTED.number());
      assertPlain(failed.out() + failed.err());
      assertThat(failed.err()).contains("\\u001b]0;gone");
    }
    for (Object[] words : new Object[][] {{"run", EVIL}, {EVIL}, {"run", "mlp", "--device", EVIL},
      {"run", model("Relu"), "--shapes", EVIL + ":1x2"}}) {
      Outcome failed = Outcome.of(words);
      assertThat(failed.code()).isNotZero();
      assertPlain(failed.out() + failed.err());
    }
  }

  @Test
  void noLineOfTheLogPrintsThem() {
    // The program's own, which logback finds as a service.
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger logger = context.getLogger(Logger.ROOT_LOGGER_NAME);
    var appender = (OutputStreamAppender<ILoggingEvent>) logger.getAppender("STDERR");
    var event = new LoggingEvent("here", logger, Level.WARN, "no kernel for {}", new IllegalStateException(EVIL),
      new Object[] {EVIL});
    String line = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    assertThat(line).startsWith("cairn: no kernel for \\u001b]0;gone").contains("IllegalStateException");
    assertPlain(line);
  }

  @Test
  void namesOfOtherScriptsStay() throws IOException {
    var builder = new GraphBuilder("g");
    builder.output("\u540d\u524d \u00e9 \ud83d\ude00",
      builder.apply("Relu", builder.input("x", TensorType.of(DType.FLOAT32, 1))));
    var graph = builder.build();
    Path file = folder.resolve("names.onnx");
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
    assertThat(Files.exists(file)).isTrue();
    assertThat(Outcome.ok("run", file, "--iterations", 1)).contains("\u540d\u524d \u00e9 \ud83d\ude00 float32[1]");
  }
}
