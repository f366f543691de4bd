package dev.cairn.runtime.engine;

import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.device.Device;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.device.Stream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A processor, on whose streams work can stop until a thread has asked whether it has ended, and was told no. */
final class AskedDevice implements Device {
  private final CpuDevice processor = new CpuDevice(1);
  private final Stream defaultStream = new AskedStream(this, processor.defaultStream());
  private final Queue<CountDownLatch> held = new ConcurrentLinkedQueue<>();

  /** Called by work on a stream. Returns when a thread waits for this or other work. */
  void awaitAsked() {
    var asked = new CountDownLatch(1);
    held.add(asked);
    EngineContract.await(asked);
    held.remove(asked);
  }

  @Override
  public DeviceId id() {
    return processor.id();
  }

  @Override
  public String description() {
    return processor.description();
  }

  @Override
  public Stream defaultStream() {
    return defaultStream;
  }

  @Override
  public Stream newStream(String name) {
    return new AskedStream(this, processor.newStream(name));
  }

  @Override
  public void close() {
    processor.close();
  }

  private record AskedStream(AskedDevice device, Stream stream) implements Stream {
    @Override
    public void submit(Runnable work) {
      stream.submit(work);
    }

    @Override
    public long record() {
      return stream.record();
    }

    @Override
    public void waitFor(Stream other, long mark) {
      stream.waitFor(((AskedStream) other).stream, mark);
    }

    @Override
    public boolean hasPassed(long mark) {
      boolean passed = stream.hasPassed(mark);
      if (!passed) {
        device.held.forEach(CountDownLatch::countDown);
      }
      return passed;
    }

    @Override
    public void synchronize() {
      stream.synchronize();
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
