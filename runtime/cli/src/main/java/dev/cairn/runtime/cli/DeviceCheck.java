package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.DeviceOption;

/** Whether the device that was asked for can be had. Stateless. */
final class DeviceCheck {
  private DeviceCheck() {}

  /** @throws Failure.Known when it can not */
  static void require(DeviceOption device) {
    if (!device.isKnown()) {
      throw new Failure.Known(ExitCode.USAGE, "no such kind of device", "device=" + device.given(),
        "use cpu, cuda:0 or auto");
    }
    if (device.needsGpu()) {
      throw new Failure.Known(ExitCode.MACHINE_LACKS, "a GPU was required, and this version of Cairn cannot use one",
        "device=%s; only the cpu device is built in".formatted(device.given()),
        "run without --require-gpu and with --device cpu");
    }
  }
}
