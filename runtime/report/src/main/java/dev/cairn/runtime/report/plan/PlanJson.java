package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.Placement;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.Pool;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * A plan as JSON, one buffer a line, written as it goes. Keys always come in one order, and new ones may be added; the
 * version is raised when a key changes its meaning or goes.
 */
public final class PlanJson {
  static final int SCHEMA_VERSION = 1;

  private static final JsonFactory FACTORY = JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
    .build();

  private final PlanView view;
  private final JsonGenerator json;

  private PlanJson(PlanView view, JsonGenerator json) {
    this.view = view;
    this.json = json;
  }

  /** Writes the whole document in UTF-8; the stream stays open. */
  public static void write(PlanView view, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      new PlanJson(view, json).document();
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private void document() {
    PlanScore score = view.score();
    json.writeStartObject();
    json.writeNumberProperty("schemaVersion", SCHEMA_VERSION);
    json.writeStringProperty("kind", "cairn-plan");
    json.writeStringProperty("source", view.title());
    json.writeStringProperty("planner", score.planner());
    json.writeNumberProperty("peakBytes", score.peakBytes());
    json.writeNumberProperty("lowerBoundBytes", score.boundBytes());
    json.writeNumberProperty("lowerBoundStep", view.bound().step());
    json.writeNumberProperty("unsharedBytes", score.unsharedBytes());
    json.writeNumberProperty("steps", view.problem().steps());
    json.writeName("pools");
    json.writeStartArray();
    for (Pool pool : view.plan().pools()) {
      json.writeStartObject();
      json.writeNumberProperty("bytes", pool.bytes());
      json.writeNumberProperty("alignment", pool.alignment());
      json.writeNumberProperty("device", pool.device());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeName("buffers");
    json.writeStartArray();
    List<Lifetime> held = view.problem().held();
    for (int i = 0; i < view.problem().size(); i++) {
      json.writeRaw('\n');
      buffer(i, held.get(i));
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void buffer(int index, Lifetime held) {
    Buffer buffer = view.problem().buffer(index);
    Placement placement = view.plan().placements().get(index);
    BufferLabel label = view.labels().get(index);
    json.writeStartObject();
    json.writeStringProperty("name", buffer.name());
    json.writeStringProperty("owner", label.owner());
    json.writeStringProperty("operator", label.kind());
    json.writeStringProperty("tensors", label.tensors());
    json.writeNumberProperty("bytes", buffer.bytes());
    json.writeNumberProperty("reservedBytes", buffer.reservedBytes());
    json.writeNumberProperty("alignment", buffer.alignment());
    json.writeNumberProperty("first", held.first());
    json.writeNumberProperty("end", held.end());
    json.writeName("gaps");
    json.writeStartArray();
    for (Lifetime gap : buffer.gaps()) {
      json.writeArray(new int[] {gap.first(), gap.end()}, 0, 2);
    }
    json.writeEndArray();
    json.writeNumberProperty("pool", placement.pool());
    json.writeNumberProperty("offset", placement.offset());
    json.writeBooleanProperty("output", buffer.output());
    json.writeBooleanProperty("scratch", label.scratch());
    json.writeEndObject();
  }
}
