package dev.cairn.runtime.report.dump;

import dev.cairn.runtime.report.JsonPlace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * A memory snapshot as one JSON document: complete, with a schema version, keys always in the same order. Written and
 * read piece by piece. Stateless.
 */
public final class MemorySnapshotJson {
  /** Raised when a key changes its meaning or goes; new keys do not raise it. */
  public static final int SCHEMA_VERSION = 2;

  private static final JsonFactory FACTORY = JsonFactory.builder()
    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
    .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
    .build();

  private MemorySnapshotJson() {}

  /** Writes the document; leaves the stream open. */
  public static void write(MemorySnapshot snapshot, OutputStream out) throws IOException {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      new SnapshotJsonWriter(json).write(snapshot);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Reads a document; leaves the stream open.
   *
   * @throws InvalidDump when it is none, or breaks a rule of the schema
   */
  public static MemorySnapshot read(InputStream in) throws IOException {
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      return new SnapshotJsonReader(json).read();
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (JacksonException e) {
      throw new InvalidDump("not a JSON memory dump, or truncated: " + e.getOriginalMessage() + ": "
        + JsonPlace.of(e), e);
    }
  }
}
