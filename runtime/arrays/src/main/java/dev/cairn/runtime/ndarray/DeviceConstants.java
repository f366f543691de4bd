package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies of small constants in a GPU's memory: programs use the same numbers again and again, so each is copied once.
 * Thread-safe.
 */
final class DeviceConstants {
  private static final int MOST = 1_024;
  private static final long MOST_BYTES = 1_024;

  private final ArrayDevice device;
  private final Map<Key, NDArray> known = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(TensorType type, ByteBuffer bytes) {}

  DeviceConstants(ArrayDevice device) {
    this.device = device;
  }

  /** An array on the device with a constant's value; the caller closes it. */
  NDArray copyOf(NDArray constant) {
    if (constant.type().bytes() > MOST_BYTES) {
      return released(DeviceCopies.copied(constant, device));
    }
    var key = new Key(constant.type(), ByteBuffer.wrap(constant.range().view().segment().toArray(
      ValueLayout.JAVA_BYTE)));
    synchronized (this) {
      NDArray there = known.get(key);
      if (there == null) {
        there = released(DeviceCopies.copied(constant, device));
        known.put(key, there);
        dropOldest();
      }
      there.range().storage().retain();
      return new NDArray(there.range().storage(), there.range().offset(), there.type(), true);
    }
  }

  /** No scope of the caller owns it. */
  private static NDArray released(NDArray array) {
    array.setScope(null);
    return array;
  }

  private void dropOldest() {
    if (known.size() > MOST) {
      var oldest = known.values().iterator();
      oldest.next().closeIfOpen();
      oldest.remove();
    }
  }

  synchronized int count() {
    return known.size();
  }

  synchronized void close() {
    List<NDArray> all = new ArrayList<>(known.values());
    known.clear();
    all.forEach(NDArray::closeIfOpen);
  }
}
