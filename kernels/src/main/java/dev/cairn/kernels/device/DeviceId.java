package dev.cairn.kernels.device;

/** Which device: its kind and, where there are several, its number. Text form: {@code cpu}, {@code cuda:0}. */
public record DeviceId(Kind kind, int ordinal) {
  public static final DeviceId CPU = new DeviceId(Kind.CPU, 0);

  /** The kinds of device that kernels are written for. */
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
