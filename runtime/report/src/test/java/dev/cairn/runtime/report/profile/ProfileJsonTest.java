package dev.cairn.runtime.report.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.trace.Span;
import dev.cairn.runtime.trace.Trace;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedRun;
import dev.cairn.runtime.trace.TracedStep;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProfileJsonTest {
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
  private static final JsonMapper STRICT = JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
    .build();

  private static TracedStep step(String node, String operator, long liveBytes, Integer... waits) {
    return new TracedStep(node, operator, "vector", "float32[2] -> float32[2]", 8, 16, liveBytes, List.of(waits));
  }

  private static Trace small() {
    var graph = new TracedGraph("net", "cpu: two cores", 1, 4096, List.of(step("a", "Conv", 100), step("b\"\n", "Relu",
      50)), List.of(new TracedCopy("y", "float32[2]", 8)));
    return new Trace(NOON, List.of(new TracedRun(3, 0, graph, 1_000, 1_500, 9_999_123, false, List.of(new Span(0, 0,
      2_001, 5_000, true), new Span(1, 0, 5_100, 5_100, true)), List.of(new Span(0, 0, 6_000, 6_250, true)))), 7);
  }

  static String text(Trace trace) throws IOException {
    var out = new ByteArrayOutputStream();
    ProfileJson.write(trace, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aSmallTraceIsThisText() throws IOException {
    assertThat(text(small())).isEqualTo("""
      {"displayTimeUnit":"ns","otherData":{"schemaVersion":1,"kind":"cairn-profile",\
      "startedAt":"2026-01-02T12:00:00Z","forgottenRuns":7},"traceEvents":[
      {"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"cpu: two cores"}}
      ,{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"runs"}}
      ,{"name":"thread_sort_index","ph":"M","pid":1,"tid":1,"args":{"sort_index":1}}
      ,{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"stream 0"}}
      ,{"name":"thread_sort_index","ph":"M","pid":1,"tid":2,"args":{"sort_index":2}}
      ,{"name":"run","ph":"X","pid":1,"tid":1,"cat":"run","ts":1.000,"dur":9998.123,\
      "args":{"run":3,"model":"net","planBytes":4096}}
      ,{"name":"wait for admission","ph":"X","pid":1,"tid":1,"cat":"wait","ts":1.000,"dur":0.500,"args":{}}
      ,{"name":"Conv","ph":"X","pid":1,"tid":2,"cat":"step","ts":2.001,"dur":2.999,"args":{"node":"a",\
      "types":"float32[2] -> float32[2]","kernel":"vector","readBytes":8,"writtenBytes":16,"step":0,"run":3}}
      ,{"name":"Relu","ph":"X","pid":1,"tid":2,"cat":"step","ts":5.100,"dur":0.000,"args":{"node":"b\\"\\n",\
      "types":"float32[2] -> float32[2]","kernel":"vector","readBytes":8,"writtenBytes":16,"step":1,"run":3}}
      ,{"name":"copy output","ph":"X","pid":1,"tid":2,"cat":"copy","ts":6.000,"dur":0.250,\
      "args":{"tensor":"y","type":"float32[2]","bytes":8,"run":3}}
      ,{"name":"live bytes","ph":"C","pid":1,"tid":1,"ts":2.001,"args":{"bytes":100}}
      ,{"name":"live bytes","ph":"C","pid":1,"tid":1,"ts":5.100,"args":{"bytes":50}}
      ,{"name":"live bytes","ph":"C","pid":1,"tid":1,"ts":9999.123,"args":{"bytes":0}}]}
      """);
  }

  /** Two streams: the second step waits for the first, the third for both, of which one never ran. */
  private static Trace streams() {
    var graph = new TracedGraph("net", "cpu", 2, 64, List.of(step("a", "A", 1), step("b", "B", 1, 0), step("c", "C", 1,
      1, 3), step("d", "D", 1)), List.of());
    var failed = new TracedRun(1, 1, graph, 0, 10, 5_000, true, List.of(new Span(0, 0, 100, 200, true), new Span(1, 1,
      210, 400, true), new Span(2, 0, 400, 5_000, false)), List.of());
    return new Trace(NOON, List.of(failed), 0);
  }

  @Test
  void whatAStreamWaitsForIsAnArrow() throws IOException {
    List<JsonNode> events = events(streams());
    List<JsonNode> flows = events.stream().filter(it -> "sf".contains(it.get("ph").asString())).toList();
    assertThat(flows).extracting(it -> it.get("ph").asString() + it.get("id") + " " + it.get("tid") + " " + it.get(
      "ts")).containsExactly("s1 5 0.199", "f1 6 0.21", "s2 6 0.399", "f2 5 0.4");
    assertThat(flows).filteredOn(it -> it.get("ph").asString().equals("f")).allMatch(it -> it.get("bp").asString()
      .equals("e"));
    assertThat(events).noneMatch(it -> it.get("ph").asString().equals("C"));
  }

  @Test
  void whatFailedIsShownAsFarAsItCame() throws IOException {
    List<JsonNode> events = events(streams());
    assertThat(events).extracting(it -> it.get("name").asString()).contains("failed run", "A", "B", "C")
      .doesNotContain("D", "run");
    assertThat(events).filteredOn(it -> it.get("name").asString().equals("C")).allMatch(it -> it.get("args").get(
      "unfinished").asBoolean());
    assertThat(events).filteredOn(it -> it.get("name").asString().equals("B")).noneMatch(it -> it.get("args").has(
      "unfinished"));
    assertThat(events).filteredOn(it -> it.get("name").asString().equals("thread_name")).extracting(it -> it.get("args")
      .get("name").asString()).containsExactly("runs", "stream 0", "stream 1", "runs (overlapping run 2)",
        "stream 0 (overlapping run 2)", "stream 1 (overlapping run 2)");
  }

  private static List<JsonNode> events(Trace trace) throws IOException {
    JsonNode document = STRICT.readTree(text(trace));
    assertThat(document.get("otherData").get("kind").asString()).isEqualTo("cairn-profile");
    List<JsonNode> events = new ArrayList<>();
    document.get("traceEvents").forEach(events::add);
    return events;
  }

  private static Trace random(int seed) {
    var random = new SplittableRandom(seed);
    List<TracedRun> runs = new ArrayList<>();
    for (int number = random.nextInt(6); number >= 0; number--) {
      int streams = 1 + random.nextInt(3);
      List<TracedStep> steps = new ArrayList<>();
      List<Span> spans = new ArrayList<>();
      long[] now = new long[streams];
      for (int i = random.nextInt(20); i > 0; i--) {
        int stream = random.nextInt(streams);
        int index = steps.size();
        long begin = now[stream] + random.nextInt(1000);
        now[stream] = begin + random.nextInt(5000);
        steps.add(step("n" + index, "Op" + index % 3, random.nextInt(1 << 20), index == 0
          ? new Integer[0]
          : new Integer[] {random.nextInt(index)}));
        spans.add(new Span(index, stream, begin, now[stream], true));
      }
      var graph = new TracedGraph("g", "device" + random.nextInt(2), streams, 1, steps, List.of());
      runs.add(new TracedRun(number, random.nextInt(3), graph, 0, 0, 1_000_000, random.nextBoolean(), spans, List
        .of()));
    }
    return new Trace(NOON, runs, 0);
  }

  /** The rules that Perfetto's reader of the format keeps. */
  @Test
  void everyTraceKeepsTheRulesOfTheFormat() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      Trace trace = random(seed);
      Map<Long, Integer> flows = new HashMap<>();
      Set<String> named = new HashSet<>();
      int steps = 0;
      for (JsonNode event : events(trace)) {
        String phase = event.get("ph").asString();
        assertThat(phase).isIn("X", "M", "C", "s", "f");
        assertThat(event.get("pid").isInt() && event.get("tid").isInt() && event.get("name").isString()).isTrue();
        if (phase.equals("M")) {
          named.add(event.get("pid") + "/" + event.get("tid"));
          assertThat(event.has("args")).isTrue();
        } else {
          assertThat(named).as("named before used").contains(event.get("pid") + "/" + event.get("tid"));
          assertThat(event.get("ts").isNumber()).isTrue();
          assertThat(event.get("ts").asDouble()).isNotNegative();
        }
        if (phase.equals("X")) {
          assertThat(event.get("dur").asDouble()).isNotNegative();
          steps += event.get("cat").asString().equals("step") ? 1 : 0;
        } else if (phase.equals("s") || phase.equals("f")) {
          flows.merge(event.get("id").asLong(), phase.equals("s") ? 1 : -1, Integer::sum);
        }
      }
      assertThat(flows.values()).as("each arrow has two ends").allMatch(it -> it == 0);
      assertThat(steps).isEqualTo(trace.runs().stream().mapToInt(it -> it.steps().size()).sum());
      assertThat(flows).hasSize((int) trace.runs().stream().mapToLong(it -> Math.max(0, it.steps().size() - 1)).sum());
    }
  }

  @Test
  void aTraceOfNothingIsADocumentAllTheSame() throws IOException {
    assertThat(events(new Trace(NOON, List.of(), 0))).isEmpty();
  }

  @Test
  void aFullDiskIsAnIoException() {
    assertThatThrownBy(() -> ProfileJson.write(small(), new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        throw new IOException("full");
      }
    })).isInstanceOf(IOException.class).hasMessage("full");
  }
}
