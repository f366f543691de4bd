package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.memory.HostPlace;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.Hold;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Copies of arrays from one device to another: each is one operation on a thread for copies. */
public final class DeviceCopies {
  private final Invoker invoker;

  DeviceCopies(Invoker invoker) {
    this.invoker = invoker;
  }

  /** A copy of the caller's values, which are there at once. */
  public Hold of(TensorView values, ArrayDevice device) {
    ArrayDevice host = invoker.devices().host();
    var engine = invoker.live().engine();
    host.room().awaitCopies(values.type().bytes(), engine);
    Hold array = invoker.live().own(host, null, "of", values.type());
    boolean isKept = false;
    try {
      engine.during("of", () -> {
        array.storage().copy(values.segment());
        return array;
      });
      isKept = device.isHost();
      return isKept ? array : copied(array, device);
    } finally {
      if (!isKept) {
        array.close();
      }
    }
  }

  /** A copy on the processor, for the caller's eyes. @throws IllegalStateException where a wait could never end */
  public Hold onHost(ArrayRange array) {
    array.storage().requireValues("read");
    invoker.live().engine().requireOutside("read");
    return copied(array, invoker.devices().host());
  }

  /** A copy on a device. */
  public Hold copied(ArrayRange array, ArrayDevice target) {
    return copied(array, target, null);
  }

  /** @param place other memory of the host; null for the device's ordinary memory */
  public Hold copied(ArrayRange array, ArrayDevice target, @Nullable HostPlace place) {
    Hold copy = invoker.live().own(target, place, "copy", array.type());
    try {
      push(array, copy);
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  /** Copies of all, or of none. */
  Hold[] copied(ArrayRange[] arrays, ArrayDevice target) {
    var made = new Hold[arrays.length];
    try {
      for (int i = 0; i < made.length; i++) {
        made[i] = copied(arrays[i], target);
      }
      return made;
    } catch (RuntimeException | Error e) {
      Invoker.close(made);
      throw e;
    }
  }

  /** Overwrites an array with another of its shape; elements are converted where they lie. */
  void converted(ArrayRange source, ArrayRange target) {
    if (source.type().dtype() == target.type().dtype()) {
      push(source, target);
      return;
    }
    try (Hold converted = invoker.cast(source, target.type().dtype())) {
      push(converted, target);
    }
  }

  /** Overwrites a range with another of its type, elsewhere or on the same GPU. */
  void push(ArrayRange source, ArrayRange target) {
    String name = "copy from %s to %s".formatted(source.storage().placeName(), target.storage().placeName());
    var touched = ArrayFootprint.of(new ArrayRange[] {target}, source);
    invoker.push(touched, copy(name, touched.footprint(), source, target), true);
  }

  private static Operation copy(String name, Footprint footprint, ArrayRange source, ArrayRange target) {
    ArrayDevice from = source.storage().device();
    ArrayDevice to = target.storage().device();
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
    HostPlace place = range.storage().hostPlace();
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
