package dev.cairn.runtime.report.trace;

import dev.cairn.allocator.trace.AllocationTrace;
import dev.cairn.allocator.trace.InvalidTrace;
import dev.cairn.allocator.trace.TraceBuilder;
import dev.cairn.runtime.report.JsonPlace;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what PyTorch's memory plots are drawn from: an object with {@code actions}, a list of element numbers, each of
 * which grants the element if it is free and frees it if it is live, and {@code elements_size}, the bytes of each.
 * Elements in {@code initially_allocated} are live from the start. All else is passed over. It may be a JSON document,
 * or stand in a page as {@code alloc_data = {...}}. Read as a stream, and not safe for many threads.
 */
final class AllocData {
  /** The variable in a page. */
  static final String NAME = "alloc_data";

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final long[] NONE = {};

  private long @Nullable [] actions;
  private long @Nullable [] sizes;
  private long[] initial = NONE;

  private AllocData() {}

  /**
   * Reads to the end of the object.
   *
   * @throws InvalidTrace saying where and why, when there is none
   */
  static AllocationTrace read(InputStream in) throws IOException {
    PushbackReader text = new PushbackReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    int first = text.read();
    while (first == '\uFEFF' || (first >= 0 && Character.isWhitespace(first))) {
      first = text.read();
    }
    if (first < 0) {
      throw new InvalidTrace("the file is empty");
    }
    text.unread(first);
    if (first != '{') {
      AssignedObject.find(text, NAME);
    }
    AllocData data = new AllocData();
    try (JsonParser json = MAPPER.createParser(text)) {
      data.readMembers(json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (JacksonException e) {
      throw new InvalidTrace("bad JSON: %s %s".formatted(JsonPlace.of(e), e.getOriginalMessage().lines().findFirst()
        .orElse("")), e);
    }
    try {
      return data.trace();
    } catch (IllegalArgumentException e) {
      throw new InvalidTrace("impossible sizes: " + e.getMessage(), e);
    }
  }

  private void readMembers(JsonParser json) {
    json.nextToken();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "actions" -> actions = numbers(json, name);
        case "elements_size" -> sizes = numbers(json, name);
        case "initially_allocated" -> initial = numbers(json, name);
        default -> json.skipChildren();
      }
    }
  }

  private static long[] numbers(JsonParser json, String name) {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw wrong(json, name, "not a list");
    }
    LongStream.Builder numbers = LongStream.builder();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
        throw wrong(json, name, "not a list of whole numbers");
      }
      long number = json.getLongValue();
      if (number < 0) {
        throw wrong(json, name, "negative");
      }
      numbers.add(number);
    }
    return numbers.build().toArray();
  }

  private static InvalidTrace wrong(JsonParser json, String name, String what) {
    return new InvalidTrace("%s: member=%s line=%d column=%d".formatted(what, name, json.currentTokenLocation()
      .getLineNr(), json.currentTokenLocation().getColumnNr()));
  }

  private AllocationTrace trace() {
    if (actions == null || sizes == null) {
      throw new InvalidTrace("member is missing: member=" + (actions == null ? "actions" : "elements_size"));
    }
    TraceBuilder trace = new TraceBuilder();
    // The block of each element that is live, -1 for the others.
    int[] blocks = new int[sizes.length];
    Arrays.fill(blocks, -1);
    for (int i = 0; i < initial.length; i++) {
      int element = element(initial[i], "initially_allocated", i);
      if (blocks[element] < 0 && sizes[element] > 0) {
        blocks[element] = trace.heldFromStart(sizes[element]);
      }
    }
    for (int i = 0; i < actions.length; i++) {
      int element = element(actions[i], "actions", i);
      if (blocks[element] >= 0) {
        trace.free(blocks[element]);
        blocks[element] = -1;
      } else if (sizes[element] == 0) {
        trace.empty();
      } else {
        blocks[element] = trace.grant(sizes[element]);
      }
    }
    return trace.build();
  }

  private int element(long number, String list, int position) {
    int elements = sizes == null ? 0 : sizes.length;
    if (number >= elements) {
      throw new InvalidTrace("no such element: member=%s position=%d element=%d elements=%d".formatted(list, position,
        number, elements));
    }
    return (int) number;
  }
}
