package dev.cairn.runtime.report.profile;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads from a profile how long steps took. */
public final class ProfileTimes {
  private static final int NANOS_PER_MICRO = 1000;

  private ProfileTimes() {}

  /**
   * The median time of each step, by the name of its node, in ns. Of an even number of runs it is the lower of the two
   * in the middle.
   *
   * @param in what {@link ProfileJson} wrote; stays open
   * @throws IllegalArgumentException when it is no such profile, or has no steps
   */
  public static Map<String, Long> read(InputStream in) throws IOException {
    JsonNode document;
    try {
      document = JsonMapper.shared().readTree(in.readAllBytes());
    } catch (JacksonException e) {
      throw new IllegalArgumentException("not JSON", e);
    }
    if (!document.path("otherData").path("kind").asString("").equals("cairn-profile")) {
      throw new IllegalArgumentException("not a profile of Cairn");
    }
    Map<String, List<Long>> all = new HashMap<>();
    for (JsonNode event : document.path("traceEvents")) {
      if (event.path("cat").asString("").equals("step") && !event.path("args").has("unfinished")) {
        long nanos = Math.round(event.path("dur").asDouble(0) * NANOS_PER_MICRO);
        all.computeIfAbsent(event.path("args").path("node").asString(""), _ -> new ArrayList<>()).add(nanos);
      }
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException("the profile has no steps");
    }
    Map<String, Long> medians = new HashMap<>();
    all.forEach((node, nanos) -> medians.put(node, nanos.stream().sorted().skip((nanos.size() - 1) / 2).findFirst()
      .orElseThrow()));
    return medians;
  }
}
