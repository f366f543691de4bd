package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.StreamTime;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** One chunk as it is read; filled again and again. */
final class ChunkJson {
  long address;
  long bytes;
  long requestedBytes;
  long allocationId;
  long owner;
  long step;
  long freedAt;
  long stream;
  String state = "";

  /** Reads the object that the parser is at the start of; keys may come in any order. */
  void read(JsonParser json) {
    address = -1;
    bytes = -1;
    requestedBytes = 0;
    allocationId = -1;
    owner = 0;
    step = 0;
    freedAt = 0;
    stream = 0;
    state = "";
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "address" -> address = json.getLongValue();
        case "bytes" -> bytes = json.getLongValue();
        case "requestedBytes" -> requestedBytes = json.getLongValue();
        case "allocationId" -> allocationId = json.getLongValue();
        case "owner" -> owner = json.getLongValue();
        case "step" -> step = json.getLongValue();
        case "freedAt" -> freedAt = json.getLongValue();
        case "stream" -> stream = json.getLongValue();
        case "state" -> state = json.getString();
        default -> json.skipChildren();
      }
    }
  }

  boolean isInUse() {
    return state.equals("in-use");
  }

  void addTo(MemoryMapBuilder map) {
    if (isInUse()) {
      map.inUse(address, bytes, requestedBytes, allocationId, (int) owner, (int) step);
    } else {
      map.free(address, bytes, freedAt == 0 ? 0 : StreamTime.of((int) stream, freedAt));
    }
  }
}
