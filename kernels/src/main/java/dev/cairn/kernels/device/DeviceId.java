package dev.cairn.kernels.device;

/** A device's kind, and its number among devices of that kind. Text form: {@code cpu}, {@code cuda:0}. */
public record DeviceId(Kind kind, int ordinal) {
  public static final DeviceId CPU = new DeviceId(Kind.CPU, 0);

  /** The kinds of device that have kernels. */
  public enum Kind {
    CPU,
    CUDA
  }

  @Override
  public String toString() {
    return switch (kind) {
      case CPU -> "cpu";
      case CUDA -> "cuda:" + ordinal;
    };
  }
}
