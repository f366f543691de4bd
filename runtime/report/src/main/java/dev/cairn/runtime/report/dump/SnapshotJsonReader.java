package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import dev.cairn.allocator.StreamTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads a snapshot from JSON: known keys in the order in which they are written, unknown ones are passed over. Trusts
 * nothing: what is returned keeps the rules of maps and figures.
 */
final class SnapshotJsonReader {
  static final String KIND = "cairn-memory";

  /** The facts of a refused request before the map has been read. */
  private record Refused(AllocationRequest request, long roundedBytes, List<String> circumstances, Rest rest) {
    OutOfMemory with(MemoryMap map) {
      OutOfMemory failure = new OutOfMemory(request, roundedBytes, map).withLastEvents(rest.lastEvents())
        .withLeastLimit(rest.leastLimitBytes()).withWays(rest.ways());
      for (String circumstance : circumstances) {
        failure = failure.with(circumstance);
      }
      return rest.budget().map(failure::withBudget).orElse(failure);
    }
  }

  /** The facts of a refusal that newer dumps may have: no events and 0 where they don't. */
  private record Rest(List<PoolEvent> lastEvents, long leastLimitBytes, List<OutOfMemory.Way> ways,
    Optional<OutOfMemory.Budget> budget, int stream) {}

  private final JsonParser json;

  SnapshotJsonReader(JsonParser json) {
    this.json = json;
  }

  MemorySnapshot read() throws IOException {
    try {
      require(json.nextToken() == JsonToken.START_OBJECT, "not a JSON object");
      long version = number("schemaVersion");
      require(version >= 1 && version <= MemorySnapshotJson.SCHEMA_VERSION,
        "schemaVersion=%d, this Cairn reads 1 to %d", version,
        MemorySnapshotJson.SCHEMA_VERSION);
      require(text("kind").equals(KIND), "kind is not " + KIND);
      MemoryMapBuilder map = new MemoryMapBuilder(space());
      Refused refused = refused();
      AllocatorStats stats = new SnapshotRules(json).checked(stats());
      int owners = owners(map);
      regions(map, owners);
      endObject();
      require(json.nextToken() == null, "unexpected content after the end");
      MemoryMap built = map.build(stats);
      return refused == null ? MemorySnapshot.of(built) : MemorySnapshot.of(refused.with(built));
    } catch (IllegalArgumentException e) {
      // A value of the dump, such as a space or a request, breaks its own rules.
      throw new InvalidDump("memory dump breaks a rule: " + e.getMessage(), e);
    }
  }

  private MemorySpace space() throws IOException {
    startObject("space");
    MemorySpace.Kind kind = MemorySpace.Kind.valueOf(text("kind").toUpperCase(Locale.ROOT));
    long ordinal = number("ordinal");
    require(ordinal == (int) ordinal, "no such device: ordinal=%d", ordinal);
    MemorySpace space = new MemorySpace(kind, (int) ordinal);
    endObject();
    return space;
  }

  private @Nullable Refused refused() throws IOException {
    to("failure");
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    require(json.currentToken() == JsonToken.START_OBJECT, "failure is not an object");
    long bytes = number("requestedBytes");
    long roundedBytes = number("roundedBytes");
    long alignmentBytes = number("alignmentBytes");
    long freedBefore = number("freedBefore");
    startObject("owner");
    Owner owner = owner();
    startArray("circumstances");
    List<String> circumstances = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      circumstances.add(string());
    }
    Rest rest = rest();
    require(roundedBytes >= 0 && roundedBytes % 256 == 0, "roundedBytes=%d", roundedBytes);
    return new Refused(new AllocationRequest(bytes, owner, alignmentBytes, freedBefore, rest.stream), roundedBytes,
      circumstances, rest);
  }

  /** Goes to the end of the failure. */
  private Rest rest() throws IOException {
    List<PoolEvent> events = new ArrayList<>();
    long leastLimitBytes = 0;
    List<OutOfMemory.Way> ways = new ArrayList<>();
    Optional<OutOfMemory.Budget> budget = Optional.empty();
    long stream = 0;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "lastEvents" -> addEvents(events);
        case "leastLimitBytes" -> {
          require(json.currentToken() == JsonToken.VALUE_NUMBER_INT, "leastLimitBytes is not a whole number");
          leastLimitBytes = json.getLongValue();
        }
        case "ways" -> addWays(ways);
        case "budget" -> budget = Optional.of(budget());
        case "stream" -> {
          require(json.currentToken() == JsonToken.VALUE_NUMBER_INT, "stream is not a whole number");
          stream = json.getLongValue();
        }
        default -> json.skipChildren();
      }
    }
    require(json.currentToken() == JsonToken.END_OBJECT, "an object does not end");
    require(stream >= 0 && stream <= StreamTime.MAXIMUM_STREAM, "stream=%d", stream);
    return new Rest(events, leastLimitBytes, ways, budget, (int) stream);
  }

  private OutOfMemory.Budget budget() throws IOException {
    require(json.currentToken() == JsonToken.START_OBJECT, "budget is not an object");
    var budget = new OutOfMemory.Budget(text("name"), number("limitBytes"), number("bytesInUse"), number(
      "leastLimitBytes"));
    endObject();
    return budget;
  }

  private void addWays(List<OutOfMemory.Way> ways) throws IOException {
    require(json.currentToken() == JsonToken.START_ARRAY, "ways is not an array");
    while (json.nextToken() == JsonToken.START_OBJECT) {
      ways.add(new OutOfMemory.Way(text("option"), number("limitBytes"), text("outcome")));
      endObject();
    }
    require(json.currentToken() == JsonToken.END_ARRAY, "a way is not an object");
  }

  private void addEvents(List<PoolEvent> events) throws IOException {
    require(json.currentToken() == JsonToken.START_ARRAY, "lastEvents is not an array");
    while (json.nextToken() == JsonToken.START_OBJECT) {
      events.add(event());
    }
    require(json.currentToken() == JsonToken.END_ARRAY, "an event is not an object");
  }

  private PoolEvent event() throws IOException {
    PoolEvent.Kind kind = PoolEvent.Kind.valueOf(text("kind").toUpperCase(Locale.ROOT));
    long allocationId = number("allocationId");
    long address = number("address");
    long bytes = number("bytes");
    startObject("owner");
    PoolEvent event = new PoolEvent(kind, allocationId, address, bytes, owner());
    endObject();
    return event;
  }

  private AllocatorStats stats() throws IOException {
    startObject("stats");
    AllocatorStats stats = new AllocatorStats(blocks("all"), blocks("small"), blocks("large"), gauge("pool"),
      gauge("regions"), gauge("freeSplits"), gauge("freeSplitBytes"), gauge("bypass"), number("limitBytes"),
      number("largestBytes"), number("largestFreeBytes"), number("timeHeldBytes"), number("refusalCount"),
      number("reserveCount"), endObjectWith("movedBytes"));
    return stats;
  }

  private AllocatorStats.Blocks blocks(String name) throws IOException {
    startObject(name);
    AllocatorStats.Blocks blocks = new AllocatorStats.Blocks(gauge("count"), gauge("bytes"), gauge("requestedBytes"));
    endObject();
    return blocks;
  }

  private Gauge gauge(String name) throws IOException {
    startObject(name);
    Gauge gauge = new Gauge(number("current"), number("peak"), number("total"));
    endObject();
    return gauge;
  }

  /** Returns how many there are; the first means no owner, and every map has it. */
  private int owners(MemoryMapBuilder map) throws IOException {
    startArray("owners");
    int count = 0;
    while (json.nextToken() == JsonToken.START_OBJECT) {
      Owner owner = owner();
      if (count++ > 0) {
        map.owner(owner);
      } else {
        require(owner.equals(Owner.NONE), "the first owner is not empty");
      }
    }
    require(json.currentToken() == JsonToken.END_ARRAY, "an owner is not an object");
    return Math.max(1, count);
  }

  private Owner owner() throws IOException {
    Owner owner = new Owner(text("operator"), text("tensor"), text("shape"));
    endObject();
    return owner;
  }

  private void regions(MemoryMapBuilder map, int owners) throws IOException {
    startArray("regions");
    SnapshotRules rules = new SnapshotRules(json);
    while (json.nextToken() == JsonToken.START_OBJECT) {
      long address = number("address");
      long bytes = number("bytes");
      rules.region(address, bytes);
      map.region(address, bytes);
      startArray("chunks");
      ChunkJson chunk = new ChunkJson();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        chunk.read(json);
        rules.chunk(chunk, owners);
        chunk.addTo(map);
      }
      require(json.currentToken() == JsonToken.END_ARRAY, "a chunk is not an object");
      rules.endRegion();
      endObject();
    }
    require(json.currentToken() == JsonToken.END_ARRAY, "a region is not an object");
  }

  private long number(String name) throws IOException {
    to(name);
    require(json.currentToken() == JsonToken.VALUE_NUMBER_INT, "%s is not a whole number", name);
    return json.getLongValue();
  }

  private String text(String name) throws IOException {
    to(name);
    return string();
  }

  private String string() throws IOException {
    require(json.currentToken() == JsonToken.VALUE_STRING, "not a text");
    return json.getString();
  }

  private void startObject(String name) throws IOException {
    to(name);
    require(json.currentToken() == JsonToken.START_OBJECT, "%s is not an object", name);
  }

  private void startArray(String name) throws IOException {
    to(name);
    require(json.currentToken() == JsonToken.START_ARRAY, "%s is not an array", name);
  }

  /** Goes to the value of a key of the current object. */
  private void to(String name) throws IOException {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean found = json.currentName().equals(name);
      json.nextToken();
      if (found) {
        return;
      }
      json.skipChildren();
    }
    throw rules().broken("key %s is missing or misplaced", name);
  }

  /** Goes to the end of the current object. */
  private void endObject() throws IOException {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      json.nextToken();
      json.skipChildren();
    }
    require(json.currentToken() == JsonToken.END_OBJECT, "an object does not end");
  }

  /** Like {@link #endObject}; returns the number of this key, or 0 for an older dump, which lacks the key. */
  private long endObjectWith(String name) throws IOException {
    long number = 0;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean found = json.currentName().equals(name);
      json.nextToken();
      if (found) {
        require(json.currentToken() == JsonToken.VALUE_NUMBER_INT, "%s is not a whole number", name);
        number = json.getLongValue();
      }
      json.skipChildren();
    }
    require(json.currentToken() == JsonToken.END_OBJECT, "an object does not end");
    return number;
  }

  private SnapshotRules rules() {
    return new SnapshotRules(json);
  }

  private void require(boolean kept, String rule, Object... values) throws InvalidDump {
    if (!kept) {
      throw rules().broken(rule, values);
    }
  }
}
