package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.ndarray.memory.ArrayDevices;

/**
 * Until closed, arrays that this thread makes from values of the program lie on one device. Calls with operands run
 * where these lie. Only the thread that opened it closes it.
 */
public final class DeviceScope implements AutoCloseable {
  private final ArrayDevices devices;
  private final ArrayDevices.Choice choice;

  DeviceScope(ArrayDevices devices, ArrayDevices.Choice choice) {
    this.devices = devices;
    this.choice = choice;
  }

  /** @throws IllegalStateException when an inner choice of this thread is open, or this one is closed already */
  @Override
  public void close() {
    devices.leave(choice);
  }
}
