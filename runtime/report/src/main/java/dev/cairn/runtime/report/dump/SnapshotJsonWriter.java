package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Writes a snapshot as JSON; the order of the keys is what {@link SnapshotJsonReader} expects. */
final class SnapshotJsonWriter {
  private final JsonGenerator json;

  SnapshotJsonWriter(JsonGenerator json) {
    this.json = json;
  }

  void write(MemorySnapshot snapshot) {
    json.writeStartObject();
    json.writeNumberProperty("schemaVersion", MemorySnapshotJson.SCHEMA_VERSION);
    json.writeStringProperty("kind", SnapshotJsonReader.KIND);
    MemorySpace space = snapshot.map().space();
    json.writeName("space");
    json.writeStartObject();
    json.writeStringProperty("kind", space.kind().name().toLowerCase(Locale.ROOT));
    json.writeNumberProperty("ordinal", space.ordinal());
    json.writeEndObject();
    json.writeName("failure");
    snapshot.failure().ifPresentOrElse(this::failure, json::writeNull);
    stats(snapshot.map().stats());
    json.writeName("owners");
    json.writeStartArray();
    snapshot.map().owners().forEach(this::owner);
    json.writeEndArray();
    json.writeName("regions");
    json.writeStartArray();
    snapshot.map().regions().forEach(region -> region(snapshot.map(), region));
    json.writeEndArray();
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void failure(OutOfMemory failure) {
    AllocationRequest request = failure.request();
    json.writeStartObject();
    json.writeStringProperty("reason", failure.reason().word());
    json.writeNumberProperty("bytesShort", failure.bytesShort());
    json.writeNumberProperty("requestedBytes", request.bytes());
    json.writeNumberProperty("roundedBytes", failure.roundedBytes());
    json.writeNumberProperty("alignmentBytes", request.alignmentBytes());
    json.writeNumberProperty("freedBefore", request.freedBefore());
    json.writeName("owner");
    owner(request.owner());
    json.writeName("circumstances");
    json.writeStartArray();
    failure.circumstances().forEach(json::writeString);
    json.writeEndArray();
    json.writeName("lastEvents");
    json.writeStartArray();
    failure.lastEvents().forEach(this::event);
    json.writeEndArray();
    failure.leastLimitBytes().ifPresent(it -> json.writeNumberProperty("leastLimitBytes", it));
    if (!failure.ways().isEmpty()) {
      json.writeName("ways");
      json.writeStartArray();
      failure.ways().forEach(this::way);
      json.writeEndArray();
    }
    failure.budget().ifPresent(this::budget);
    if (request.stream() != 0) {
      json.writeNumberProperty("stream", request.stream());
    }
    json.writeEndObject();
  }

  private void way(OutOfMemory.Way way) {
    json.writeStartObject();
    json.writeStringProperty("option", way.option());
    json.writeNumberProperty("limitBytes", way.limitBytes());
    json.writeStringProperty("outcome", way.outcome());
    json.writeEndObject();
  }

  private void budget(OutOfMemory.Budget budget) {
    json.writeName("budget");
    json.writeStartObject();
    json.writeStringProperty("name", budget.name());
    json.writeNumberProperty("limitBytes", budget.limitBytes());
    json.writeNumberProperty("bytesInUse", budget.bytesInUse());
    json.writeNumberProperty("leastLimitBytes", budget.leastLimitBytes());
    json.writeEndObject();
  }

  private void event(PoolEvent event) {
    json.writeStartObject();
    json.writeStringProperty("kind", event.kind().name().toLowerCase(Locale.ROOT));
    json.writeNumberProperty("allocationId", event.allocationId());
    json.writeNumberProperty("address", event.address());
    json.writeNumberProperty("bytes", event.bytes());
    json.writeName("owner");
    owner(event.owner());
    json.writeEndObject();
  }

  private void stats(AllocatorStats stats) {
    json.writeName("stats");
    json.writeStartObject();
    blocks("all", stats.all());
    blocks("small", stats.small());
    blocks("large", stats.large());
    gauge("pool", stats.pool());
    gauge("regions", stats.regions());
    gauge("freeSplits", stats.freeSplits());
    gauge("freeSplitBytes", stats.freeSplitBytes());
    gauge("bypass", stats.bypass());
    json.writeNumberProperty("limitBytes", stats.limitBytes());
    json.writeNumberProperty("largestBytes", stats.largestBytes());
    json.writeNumberProperty("largestFreeBytes", stats.largestFreeBytes());
    json.writeNumberProperty("timeHeldBytes", stats.timeHeldBytes());
    json.writeNumberProperty("refusalCount", stats.refusalCount());
    json.writeNumberProperty("reserveCount", stats.reserveCount());
    json.writeNumberProperty("movedBytes", stats.movedBytes());
    json.writeEndObject();
  }

  private void blocks(String name, AllocatorStats.Blocks blocks) {
    json.writeName(name);
    json.writeStartObject();
    gauge("count", blocks.count());
    gauge("bytes", blocks.bytes());
    gauge("requestedBytes", blocks.requestedBytes());
    json.writeEndObject();
  }

  private void gauge(String name, Gauge gauge) {
    json.writeName(name);
    json.writeStartObject();
    json.writeNumberProperty("current", gauge.current());
    json.writeNumberProperty("peak", gauge.peak());
    json.writeNumberProperty("total", gauge.total());
    json.writeEndObject();
  }

  private void owner(Owner owner) {
    json.writeStartObject();
    json.writeStringProperty("operator", owner.operator());
    json.writeStringProperty("tensor", owner.tensor());
    json.writeStringProperty("shape", owner.shape());
    json.writeEndObject();
  }

  private void region(MemoryMap map, MemoryMap.RegionEntry region) {
    json.writeStartObject();
    json.writeNumberProperty("address", region.address());
    json.writeNumberProperty("bytes", region.bytes());
    json.writeName("chunks");
    json.writeStartArray();
    for (int i = 0; i < region.chunkCount(); i++) {
      // Each entry has a line, so that line tools work too.
      json.writeRaw('\n');
      chunk(map, region.firstChunk() + i);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void chunk(MemoryMap map, int chunk) {
    json.writeStartObject();
    json.writeNumberProperty("address", map.address(chunk));
    json.writeNumberProperty("bytes", map.bytes(chunk));
    if (map.isInUse(chunk)) {
      json.writeStringProperty("state", "in-use");
      json.writeNumberProperty("requestedBytes", map.requestedBytes(chunk));
      json.writeNumberProperty("allocationId", map.allocationId(chunk));
      json.writeNumberProperty("owner", map.ownerNumber(chunk));
      json.writeNumberProperty("step", map.step(chunk));
    } else {
      json.writeStringProperty("state", "free");
      json.writeNumberProperty("freedAt", map.freedAt(chunk));
      if (map.stream(chunk) != 0) {
        json.writeNumberProperty("stream", map.stream(chunk));
      }
    }
    json.writeEndObject();
  }
}
