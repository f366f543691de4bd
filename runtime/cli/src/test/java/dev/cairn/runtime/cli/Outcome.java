package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.device.ThreadTimes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What one command, run in this process, said and gave back. */
record Outcome(int code, String out, String err) {
  private static final long TICK_NANOS = 1_000_000;

  static Outcome of(Object... arguments) {
    return in(Map.of(), arguments);
  }

  /**
   * With these variables, and no others. Each reading of the clock is a millisecond after the one before: neither a
   * figure nor the end of a duration depends on how fast the machine is.
   */
  static Outcome in(Map<String, String> environment, Object... arguments) {
    var clock = new AtomicLong();
    var out = new StringWriter();
    var err = new StringWriter();
    String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    int code = Main.execute(words, new PrintWriter(out, true), new PrintWriter(err, true),
      new RuntimeOptions(false, environment, () -> clock.addAndGet(TICK_NANOS), () -> ThreadTimes.NONE));
    return new Outcome(code, out.toString(), err.toString());
  }

  /** The output of a command that went well and had nothing to complain of. */
  static String ok(Object... arguments) {
    Outcome outcome = of(arguments);
    assertThat(outcome.err).isEmpty();
    assertThat(outcome.code).isZero();
    return outcome.out;
  }

  /** The document of a command that went well: the only thing on standard output. */
  static JsonNode json(Object... arguments) {
    String text = ok(Stream.concat(Stream.of(arguments), Stream.of("--format", "json")).toArray());
    JsonNode document = parse(text);
    assertThat(document.get("command").asString()).isEqualTo(arguments[0]);
    return document;
  }

  /** One document from the first character to the last. */
  static JsonNode parse(String text) {
    assertThat(text.strip()).startsWith("{").endsWith("}");
    JsonNode document = JsonMapper.builder().enable(
      DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build().readTree(text);
    assertThat(document.propertyNames().iterator().next()).isEqualTo("schemaVersion");
    assertThat(document.get("schemaVersion").asInt()).isEqualTo(1);
    return document;
  }

  /** The same with each message of a failure on one line, however long it is. A report after them stays. */
  Outcome unwrapped() {
    int report = err.indexOf("\n\n");
    String messages = report < 0 ? err : err.substring(0, report);
    return new Outcome(code, out, messages.replace("\n    ", " ") + err.substring(messages.length()));
  }

  /**
   * Checks that it failed with this code and exactly three messages, none empty, without a stack trace. A report may
   * follow when memory ran out.
   *
   * @param facts what the messages must say, in any of them
   * @return the same with each message on one line
   */
  Outcome failedWith(ExitCode expected, String... facts) {
    assertThat(code).as(err).isEqualTo(expected.number());
    assertThat(err.lines()).as("no words are beyond the screen's edge").noneMatch(it -> it.lastIndexOf(' ') > 160);
    Outcome said = unwrapped();
    List<String> all = said.err.lines().toList();
    // The text after an empty line explains a lack of memory.
    boolean explained = expected == ExitCode.OUT_OF_MEMORY && all.size() > 3 && all.get(3).isEmpty();
    List<String> lines = explained ? all.subList(0, 3) : all;
    assertThat(lines).as(err).hasSize(3).noneMatch(String::isBlank);
    assertThat(lines.get(0)).startsWith("cairn: ");
    assertThat(lines.get(1)).startsWith("  ");
    assertThat(lines.get(2)).startsWith("  ");
    assertThat(err).doesNotContain("\tat ", "Exception:");
    for (String fact : facts) {
      assertThat(said.err).contains(fact);
    }
    return said;
  }
}
