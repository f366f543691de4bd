package dev.cairn.runtime.ndarray;

import org.jspecify.annotations.Nullable;

/**
 * Until closed, arrays that this thread makes from values of the program lie on one device. Calls with operands run
 * where these lie. Only the thread that opened it closes it.
 */
public final class DeviceScope implements AutoCloseable {
  private final ArrayDevices devices;
  private final ArrayDevice device;
  private final @Nullable DeviceScope outer;

  DeviceScope(ArrayDevices devices, ArrayDevice device, @Nullable DeviceScope outer) {
    this.devices = devices;
    this.device = device;
    this.outer = outer;
  }

  ArrayDevice device() {
    return device;
  }

  @Nullable
  DeviceScope outer() {
    return outer;
  }

  /** @throws IllegalStateException when an inner choice of this thread is open, or this one is closed already */
  @Override
  public void close() {
    devices.leave(this);
  }
}
