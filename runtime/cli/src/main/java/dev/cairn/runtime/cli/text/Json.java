package dev.cairn.runtime.cli.text;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** One JSON document, with the version of its schema first. Keys keep the order in which they were put. */
public final class Json {
  /** Raised when a key changes its meaning or goes; new keys do not raise it. */
  public static final int SCHEMA_VERSION = 1;

  /** Created when needed: creating it takes as long as a small command, and most commands print no document. */
  private static final class Mapper {
    private static final JsonMapper INSTANCE = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  }

  private Json() {}

  /** An empty document of one command. */
  public static Map<String, Object> document(String command) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("schemaVersion", SCHEMA_VERSION);
    document.put("command", command);
    return document;
  }

  public static String text(Map<String, Object> document) {
    return Mapper.INSTANCE.writeValueAsString(document);
  }
}
