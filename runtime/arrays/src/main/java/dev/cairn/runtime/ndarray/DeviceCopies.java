package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies of arrays from one device to another: each is one operation on a thread for copies. */
final class DeviceCopies {
  private DeviceCopies() {}

  /** A copy of the caller's values, which are there at once. */
  static NDArray of(ArrayRuntime runtime, TensorView values, ArrayDevice device) {
    ArrayDevice host = runtime.devices().host();
    host.room().awaitCopies(values.type().bytes(), runtime);
    NDArray array = runtime.newArray(host, "of", values.type());
    boolean isKept = false;
    try {
      runtime.open().during("of", () -> {
        array.range().storage().copy(values.segment());
        return array;
      });
      isKept = device.isHost();
      return isKept ? array : copied(array, device);
    } finally {
      if (!isKept) {
        array.closeIfOpen();
      }
    }
  }

  /** The array itself if it lies there, else a copy, through which gradients flow back. */
  static NDArray to(NDArray array, ArrayDevice target, @Nullable HostPlace place) {
    array.requireOpen("to");
    ArrayStorage from = array.range().storage();
    if (from.device.equals(target) && Objects.equals(from.hostPlace, place)) {
      return array;
    }
    if (FollowedCalls.isSketched(array)) {
      throw new IllegalStateException("a function that becomes one plan runs on one device: array=%s device=%s; move "
        .formatted(array.type(), target.name()) + "operands before the call");
    }
    NDArray copy = copied(array, target, place);
    CallFollower follower = FollowedCalls.follower();
    if (follower != null) {
      follower.ran(Operators.IDENTITY, Attributes.NONE, List.of(array), List.of(copy));
    }
    return copy;
  }

  /** A copy on the processor, for the caller's eyes. @throws IllegalStateException where a wait could never end */
  static NDArray onHost(NDArray array) {
    array.range().storage().requireValues("read");
    array.runtime().access().requireOutside("read");
    return copied(array, array.runtime().devices().host());
  }

  /** A new array there, which no tape records. */
  static NDArray copied(NDArray array, ArrayDevice target) {
    return copied(array, target, null);
  }

  /** @param place other memory of the host; null for the device's ordinary memory */
  private static NDArray copied(NDArray array, ArrayDevice target, @Nullable HostPlace place) {
    ArrayRuntime runtime = array.runtime();
    NDArray copy = runtime.newArray(target, place, "copy", array.type());
    boolean pushed = false;
    try {
      push(array.range(), copy.range());
      pushed = true;
      return copy;
    } finally {
      if (!pushed) {
        copy.closeIfOpen();
      }
      Reference.reachabilityFence(array);
    }
  }

  /** Overwrites an array with another of its shape; elements are converted where they lie. */
  static void converted(NDArray source, NDArray target) {
    if (source.dtype() == target.dtype()) {
      push(source.range(), target.range());
      return;
    }
    try (NDArray converted = source.astype(target.dtype())) {
      push(converted.range(), target.range());
    }
  }

  /** Overwrites a range with another of its type, elsewhere or on the same GPU. */
  static void push(ArrayRange source, ArrayRange target) {
    String name = "copy from %s to %s".formatted(source.storage().placeName(), target.storage().placeName());
    var touched = ArrayFootprint.of(new ArrayRange[] {target}, source);
    target.storage().runtime.invoker().push(touched, copy(name, touched.footprint(), source, target), true);
  }

  private static Operation copy(String name, Footprint footprint, ArrayRange source, ArrayRange target) {
    ArrayDevice from = source.storage().device;
    ArrayDevice to = target.storage().device;
    if (from.isHost() && to.isHost()) {
      return Operation.of(name, footprint, () -> target.taken().segment().copyFrom(source.view().segment()));
    }
    if (isPageLocked(source) && !to.isHost()) {
      return Operation.onStream(name, footprint, to.place(), stream -> to.transfers().enqueueUpload(stream, target
        .taken(stream).segment(), source.view().segment()));
    }
    if (isPageLocked(target) && !from.isHost()) {
      return Operation.onStream(name, footprint, from.place(), stream -> from.transfers().enqueueDownload(stream, target
        .taken().segment(), source.view().segment()));
    }
    if (from.equals(to)) {
      return Operation.onStream(name, footprint, to.place(), stream -> to.transfers().enqueueCopy(stream, target
        .taken(stream).segment(), source.view().segment()));
    }
    if (to.isHost() || !from.isHost()) {
      return Operation.of(name, footprint, () -> leave(from, source, to, target)).on(from.place()).with(
        FunctionProperty.COPY_FROM_GPU);
    }
    return Operation.of(name, footprint, () -> to.transfers().upload(target.taken().segment(), source.view()
      .segment())).on(to.place()).with(FunctionProperty.COPY_TO_GPU);
  }

  private static boolean isPageLocked(ArrayRange range) {
    HostPlace place = range.storage().hostPlace;
    return place != null && place.isPageLocked();
  }

  private static void leave(ArrayDevice from, ArrayRange source, ArrayDevice to, ArrayRange target) {
    TensorView view = source.view();
    if (to.isHost()) {
      from.transfers().download(target.taken().segment(), view.segment());
      return;
    }
    MemorySegment written = target.taken().segment();
    if (to.transfers().copyFromPeer(from.transfers(), written, view.segment())) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment between = arena.allocate(Math.max(1, view.type().bytes()), 64).asSlice(0, view.type().bytes());
      from.transfers().download(between, view.segment());
      to.transfers().upload(written, between);
    }
  }
}
