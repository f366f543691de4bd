package dev.cairn.runtime.ndarray;

/** Where an array lies, and how it comes elsewhere. */
public sealed interface PlacedFunctions permits NDArray {
  /** The device that computes with it: {@code cpu}, {@code cuda:0}. */
  default String device() {
    return array().range().storage().device.name();
  }

  /**
   * The memory that it lies in: that of its device, or {@code cpu_pinned} or {@code cpu_shared}, with which the
   * processor computes.
   */
  default String place() {
    return array().range().storage().placeName();
  }

  /**
   * The array in the memory of a device, or in other memory of the host: itself if it lies there, else a copy. Returns
   * at once. Gradients flow back through the copy.
   *
   * <ul>
   * <li>{@code cpu}, {@code cuda:0}: a device of the runtime
   * <li>{@code cpu_pinned}: page-locked memory, from and to which a GPU copies without a detour; needs a GPU
   * <li>{@code cpu_shared}: memory that other processes of this user map by {@link #sharedName}
   * </ul>
   *
   * Results of calls lie in the ordinary memory of the device that computes them.
   *
   * @throws IllegalArgumentException when the runtime has no such device
   */
  default NDArray to(String place) {
    ArrayDevices devices = array().runtime().devices();
    HostPlace other = devices.place(place);
    return DeviceCopies.to(array(), other == null ? devices.named(place) : devices.host(), other);
  }

  /**
   * The name by which other processes of this user map the array's bytes ({@link ArrayRuntime#openShared}), as long as
   * the array is open here. Waits for the bytes.
   *
   * @throws IllegalStateException when the array does not lie in {@code cpu_shared}, or is a part of another one
   */
  default String sharedName() {
    NDArray array = array();
    array.waitToRead();
    if (!array.range().coversStorage()) {
      throw new IllegalStateException("only a whole array has a name for other processes: array=%s; copy the part"
        .formatted(array.type()));
    }
    return array.range().storage().sharedName();
  }

  /**
   * Overwrites another array of this shape with these elements, on any device; they are converted. Returns at once.
   *
   * @return the other array
   */
  default NDArray copyTo(NDArray target) {
    return target.copyFrom(array());
  }

  private NDArray array() {
    return (NDArray) this;
  }
}
