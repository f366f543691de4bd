package dev.cairn.runtime.report.profile;

import dev.cairn.runtime.trace.Span;
import dev.cairn.runtime.trace.Trace;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedRun;
import dev.cairn.runtime.trace.TracedStep;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * A trace as a file for ui.perfetto.dev and chrome://tracing: complete events for runs, steps and copies, arrows for
 * what one stream waits for of another, and a counter of the bytes that the plan holds. Times count from the start of
 * the trace.
 */
public final class ProfileJson {
  static final int SCHEMA_VERSION = 1;

  private static final JsonFactory FACTORY = JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
    .build();

  private final Trace trace;
  private final ProfileTracks tracks;
  private final TraceEventWriter events;

  private ProfileJson(Trace trace, JsonGenerator json) {
    this.trace = trace;
    this.tracks = new ProfileTracks(trace);
    this.events = new TraceEventWriter(json);
  }

  /** Writes the whole document in UTF-8; the stream stays open. */
  public static void write(Trace trace, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("displayTimeUnit", "ns");
      json.writeName("otherData");
      json.writeStartObject();
      json.writeNumberProperty("schemaVersion", SCHEMA_VERSION);
      json.writeStringProperty("kind", "cairn-profile");
      json.writeStringProperty("startedAt", trace.startedAt().toString());
      json.writeNumberProperty("forgottenRuns", trace.forgotten());
      json.writeEndObject();
      json.writeName("traceEvents");
      json.writeStartArray();
      new ProfileJson(trace, json).all();
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private void all() {
    tracks.processes().forEach(process -> events.name("process_name", process));
    for (ProfileTracks.Track thread : tracks.threads()) {
      events.name("thread_name", thread);
      events.sortIndex(thread);
    }
    trace.runs().forEach(this::run);
  }

  private void run(TracedRun run) {
    ProfileTracks.Track whole = tracks.of(run);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("run", run.number());
    facts.put("model", run.graph().name());
    facts.put("planBytes", run.graph().planBytes());
    events.complete(run.failed() ? "failed run" : "run", "run", whole, run.askedNanos(), run.endNanos(), facts);
    events.complete("wait for admission", "wait", whole, run.askedNanos(), run.beganNanos(), Map.of());
    Map<Integer, Span> byStep = new HashMap<>();
    for (Span span : run.steps()) {
      step(run, span);
      byStep.put(span.index(), span);
    }
    run.copies().forEach(span -> copy(run, span));
    run.steps().forEach(span -> waits(run, span, byStep));
    if (run.graph().streams() == 1) {
      liveBytes(run);
    }
  }

  private void step(TracedRun run, Span span) {
    TracedStep step = run.graph().steps().get(span.index());
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("node", step.node());
    facts.put("types", step.types());
    facts.put("kernel", step.kernel());
    facts.put("readBytes", step.readBytes());
    facts.put("writtenBytes", step.writtenBytes());
    facts.put("step", span.index());
    complete(step.operator(), "step", run, span, facts);
  }

  private void copy(TracedRun run, Span span) {
    TracedCopy copy = run.graph().copies().get(span.index());
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("tensor", copy.tensor());
    facts.put("type", copy.type());
    facts.put("bytes", copy.bytes());
    complete("copy output", "copy", run, span, facts);
  }

  private void complete(String name, String category, TracedRun run, Span span, Map<String, Object> facts) {
    facts.put("run", run.number());
    if (!span.finished()) {
      facts.put("unfinished", true);
    }
    events.complete(name, category, tracks.of(run, span.stream()), span.beginNanos(), span.endNanos(), facts);
  }

  /** An arrow from the end of each step that this one waited for to its beginning. */
  private void waits(TracedRun run, Span span, Map<Integer, Span> byStep) {
    for (int awaited : run.graph().steps().get(span.index()).waits()) {
      Span before = byStep.get(awaited);
      if (before != null) {
        // The arrow must begin within the event, and an event's end is outside it.
        long from = Math.max(before.beginNanos(), before.endNanos() - 1);
        events.arrow(tracks.of(run, before.stream()), from, tracks.of(run, span.stream()), span.beginNanos());
      }
    }
  }

  private void liveBytes(TracedRun run) {
    String counter = ProfileTracks.counter(run);
    for (Span span : run.steps()) {
      long bytes = run.graph().steps().get(span.index()).liveBytes();
      events.counter(counter, tracks.of(run), span.beginNanos(), bytes);
    }
    events.counter(counter, tracks.of(run), run.endNanos(), 0);
  }
}
