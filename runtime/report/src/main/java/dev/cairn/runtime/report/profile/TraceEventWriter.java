package dev.cairn.runtime.report.profile;

import java.math.BigDecimal;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * Chrome's trace event format, one event a line. Times are written as microseconds with three decimals; the letters are
 * the format's phases: X complete, s and f the ends of a flow, C counter, M metadata.
 */
final class TraceEventWriter {
  private static final int DECIMALS = 3;

  private final JsonGenerator json;
  private long flows;

  /** @param json within the array of events */
  TraceEventWriter(JsonGenerator json) {
    this.json = json;
  }

  /** How a process, or one of its threads, is called. */
  void name(String of, ProfileTracks.Track track) {
    begin(of, "M", track);
    end(Map.of("name", track.name()));
  }

  /** Threads are shown in the order of their numbers. */
  void sortIndex(ProfileTracks.Track track) {
    begin("thread_sort_index", "M", track);
    end(Map.of("sort_index", track.thread()));
  }

  void complete(String name, String category, ProfileTracks.Track track, long beginNanos, long endNanos,
    Map<String, Object> arguments) {
    begin(name, "X", track);
    json.writeStringProperty("cat", category);
    micros("ts", beginNanos);
    micros("dur", endNanos - beginNanos);
    end(arguments);
  }

  /** An arrow from within one complete event to within another. */
  void arrow(ProfileTracks.Track from, long fromNanos, ProfileTracks.Track to, long toNanos) {
    flows++;
    begin("wait", "s", from);
    flow(fromNanos);
    json.writeEndObject();
    begin("wait", "f", to);
    flow(toNanos);
    json.writeStringProperty("bp", "e");
    json.writeEndObject();
  }

  private void flow(long nanos) {
    json.writeStringProperty("cat", "wait");
    micros("ts", nanos);
    json.writeNumberProperty("id", flows);
  }

  void counter(String name, ProfileTracks.Track track, long nanos, long bytes) {
    begin(name, "C", track);
    micros("ts", nanos);
    end(Map.of("bytes", bytes));
  }

  private void begin(String name, String phase, ProfileTracks.Track track) {
    json.writeRaw('\n');
    json.writeStartObject();
    json.writeStringProperty("name", name);
    json.writeStringProperty("ph", phase);
    json.writeNumberProperty("pid", track.process());
    json.writeNumberProperty("tid", track.thread());
  }

  private void micros(String key, long nanos) {
    json.writeNumberProperty(key, BigDecimal.valueOf(nanos, DECIMALS));
  }

  private void end(Map<String, Object> arguments) {
    json.writeName("args");
    json.writeStartObject();
    arguments.forEach((key, value) -> {
      switch (value) {
        case Integer number -> json.writeNumberProperty(key, number);
        case Long number -> json.writeNumberProperty(key, number);
        case Boolean truth -> json.writeBooleanProperty(key, truth);
        default -> json.writeStringProperty(key, value.toString());
      }
    });
    json.writeEndObject();
    json.writeEndObject();
  }
}
