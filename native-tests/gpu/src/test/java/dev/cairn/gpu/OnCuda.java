package dev.cairn.gpu;

import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.PinnedMemory;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What most tests on CUDA begin with: a device, open for one test, and short ways to fill and read its memory. */
abstract class OnCuda {
  protected CudaDevice device;
  protected CudaStream stream;

  @BeforeEach
  void openDevice() {
    device = CudaDevice.open(CudaUnderTest.driver(), 0);
    stream = device.defaultStream();
  }

  @AfterEach
  void closeDevice() {
    if (device != null) {
      device.close();
    }
  }

  final CudaModule module(String text) {
    return device.load(CudaUnderTest.compiler().compile(CudaProgram.of("test.cu", text), device.properties()
      .architecture(), List.of()));
  }

  final CudaFunction kernel(String text, String name) {
    return module(text).function(name);
  }

  final void launch(CudaFunction kernel, LaunchShape shape, Object... arguments) {
    kernel.launch(stream, shape, arguments(arguments));
  }

  static ArgumentBlock arguments(Object... values) {
    var block = new ArgumentBlock(values.length);
    for (int i = 0; i < values.length; i++) {
      switch (values[i]) {
        case Integer value -> block.set(i, value);
        case Long value -> block.set(i, value);
        case Float value -> block.set(i, value);
        case Double value -> block.set(i, value);
        default -> throw new AssertionError("no such argument: " + values[i]);
      }
    }
    return block;
  }

  /** The address of device memory that is given back with the device. */
  final long room(long bytes) {
    return device.allocate(bytes).address();
  }

  final long upload(float... values) {
    long address = room(4L * Math.max(1, values.length));
    try (PinnedMemory staging = device.allocatePinned(4L * Math.max(1, values.length))) {
      MemorySegment.copy(values, 0, staging.segment(), ValueLayout.JAVA_FLOAT, 0, values.length);
      stream.copyToDevice(address, staging.segment());
      stream.synchronize();
    }
    return address;
  }

  final long upload(int... values) {
    long address = room(4L * Math.max(1, values.length));
    try (PinnedMemory staging = device.allocatePinned(4L * Math.max(1, values.length))) {
      MemorySegment.copy(values, 0, staging.segment(), ValueLayout.JAVA_INT, 0, values.length);
      stream.copyToDevice(address, staging.segment());
      stream.synchronize();
    }
    return address;
  }

  final float[] floats(long address, int count) {
    try (PinnedMemory staging = device.allocatePinned(4L * count)) {
      stream.copyToHost(staging.segment(), address);
      stream.synchronize();
      return staging.segment().toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  final int[] ints(long address, int count) {
    try (PinnedMemory staging = device.allocatePinned(4L * count)) {
      stream.copyToHost(staging.segment(), address);
      stream.synchronize();
      return staging.segment().toArray(ValueLayout.JAVA_INT);
    }
  }

  final short[] shorts(long address, int count) {
    try (PinnedMemory staging = device.allocatePinned(2L * count)) {
      stream.copyToHost(staging.segment(), address);
      stream.synchronize();
      return staging.segment().toArray(ValueLayout.JAVA_SHORT);
    }
  }
}
