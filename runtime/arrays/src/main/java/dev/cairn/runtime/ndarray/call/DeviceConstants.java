package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.Hold;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Copies of small constants in a GPU's memory: programs use the same numbers again and again, so each is copied once.
 * Thread-safe.
 */
final class DeviceConstants {
  private static final int MOST = 1_024;
  private static final long MOST_BYTES = 1_024;

  private final ArrayDevice device;
  private final DeviceCopies copies;
  private final Map<Key, Hold> known = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, Hold> eldest) {
      if (size() > MOST) {
        eldest.getValue().close();
      }
      return size() > MOST;
    }
  };

  private record Key(TensorType type, ByteBuffer bytes) {}

  DeviceConstants(ArrayDevice device, DeviceCopies copies) {
    this.device = device;
    this.copies = copies;
  }

  /** A constant's value on the device; the caller closes it. */
  Hold copyOf(ArrayRange constant) {
    if (constant.type().bytes() > MOST_BYTES) {
      return copies.copied(constant, device);
    }
    var key = new Key(constant.type(), ByteBuffer.wrap(constant.view().segment().toArray(ValueLayout.JAVA_BYTE)));
    synchronized (this) {
      Hold there = known.get(key);
      if (there == null) {
        there = copies.copied(constant, device);
        known.put(key, there);
      }
      return there.viewedAs(constant.type(), 0);
    }
  }

  synchronized int count() {
    return known.size();
  }

  synchronized void close() {
    known.values().forEach(Hold::close);
    known.clear();
  }
}
