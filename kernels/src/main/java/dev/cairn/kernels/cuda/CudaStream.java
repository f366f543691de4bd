package dev.cairn.kernels.cuda;

import dev.cairn.kernels.device.HandedWork;
import dev.cairn.kernels.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import jcuda.driver.CUstream;
import jcuda.runtime.cudaStream_t;

/**
 * A queue of work on a device. All methods add work to the queue and return, except {@link #synchronize} and copies of
 * host memory that is not page-locked. Thread-safe, but work that two threads submit at the same time has no defined
 * order.
 */
public final class CudaStream extends CudaObject implements Stream {
  private final CudaDevice device;
  private final String name;
  private final StreamHandle handle;
  private final StreamMarks marks;
  /** Makes the context current on the calling thread. */
  private final Supplier<CudaDriver> entry = this::enter;
  private volatile Capture capture = Capture.NONE;

  private CudaStream(CudaDevice device, String name, StreamHandle handle) {
    super(device.context());
    this.device = device;
    this.name = name;
    this.handle = handle;
    this.marks = new StreamMarks(handle);
  }

  static CudaStream open(CudaDevice device, String name) {
    CudaStream stream = new CudaStream(device, name, device.context().enter().newStream());
    device.context().adopt(stream);
    return stream;
  }

  CUstream handle() {
    return handle;
  }

  /** The stream's address, for libraries that Cairn calls without JCuda, such as cuDNN. */
  public long address() {
    enter();
    return handle.address();
  }

  /** The stream's handle, for libraries that Cairn calls through JCuda, such as cuBLAS. */
  public cudaStream_t runtimeHandle() {
    enter();
    return new cudaStream_t(handle);
  }

  Capture capture() {
    return capture;
  }

  @Override
  public CudaDevice device() {
    return device;
  }

  /** Runs {@code work} at once, on the calling thread. Its launches and copies on this stream are queued. */
  @Override
  public void submit(Runnable work) {
    enter();
    work.run();
  }

  @Override
  public long record() {
    return marks.record(entry);
  }

  @Override
  public void waitFor(Stream other, long mark) {
    if (!(other instanceof CudaStream stream) || stream.context() != context()) {
      throw new IllegalArgumentException("stream of another device: device=%s other=%s"
        .formatted(device.id(), other.device().id()));
    }
    if (stream.marks.letWait(entry, stream == this || stream.isClosed() ? null : handle, mark)) {
      stream.capture.join(this);
    }
  }

  @Override
  public boolean hasPassed(long mark) {
    return isClosed() ? marks.wasGiven(mark) : marks.hasPassed(entry, mark);
  }

  @Override
  public void synchronize() {
    enter().synchronize(handle);
  }

  /** Copies all of {@code source} to the device. It is native host memory that lives until the copy has ended. */
  public void copyToDevice(long target, MemorySegment source) {
    requireNative(source);
    if (source.byteSize() > 0) {
      enter().copyToDevice(target, source.address(), source.byteSize(), handle);
    }
  }

  /** Fills all of {@code target} from the device. It is native host memory that lives until the copy has ended. */
  public void copyToHost(MemorySegment target, long source) {
    requireNative(target);
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("target can't be written: bytes=" + target.byteSize());
    }
    if (target.byteSize() > 0) {
      enter().copyToHost(target.address(), source, target.byteSize(), handle);
    }
  }

  /** Copies between two ranges of device memory that do not overlap. */
  public void copyOnDevice(long target, long source, long bytes) {
    if (isSome(bytes)) {
      enter().copyOnDevice(target, source, bytes, handle);
    }
  }

  /** Sets each byte of a range of device memory. */
  public void fill(long address, byte value, long bytes) {
    if (isSome(bytes)) {
      enter().fill(address, value, bytes, handle);
    }
  }

  /** Sets each group of four bytes in a range of device memory. The range starts at a multiple of four. */
  public void fillInts(long address, int value, long count) {
    if (isSome(count)) {
      enter().fillInts(address, value, count, handle);
    }
  }

  /**
   * Captures work in a graph instead of running it: all that {@code work} submits to this stream, and to other streams
   * that wait for marks of it. Before {@code work} returns, this stream must wait for the other streams. All calls
   * happen on the calling thread. The driver ties a capture to a thread of the operating system, so a virtual thread
   * hands the capture to a platform thread and waits.
   */
  public CudaGraph capture(Runnable work) {
    if (!Thread.currentThread().isVirtual()) {
      return captureHere(work);
    }
    var captured = new AtomicReference<CudaGraph>();
    var handed = new HandedWork(() -> captured.set(captureHere(work)));
    Thread.ofPlatform().daemon().name("cairn-capture").start(handed);
    handed.await();
    return Objects.requireNonNull(captured.get());
  }

  private CudaGraph captureHere(Runnable work) {
    CudaDriver driver = enter();
    Capture began = new Capture();
    driver.beginCapture(handle);
    began.join(this);
    GraphNodeCalls.Graph graph;
    try {
      work.run();
      graph = enter().endCapture(handle);
    } catch (Throwable e) { // code in other JVM languages may throw any exception
      abandon(began, e);
      throw e;
    }
    began.end(driver);
    return CudaGraph.captured(context(), graph, began.launches());
  }

  private void abandon(Capture began, Throwable cause) {
    CudaDriver driver = context().driver();
    try {
      context().enter();
      driver.destroy(driver.endCapture(handle));
    } catch (CudaFailure e) {
      // In most cases the failed call has also ended the capture.
      if (e.code() != CudaFailure.ILLEGAL_STATE) {
        cause.addSuppressed(e);
      }
    } finally {
      began.end(driver);
    }
  }

  void beginCapture(Capture began) {
    capture = began;
    marks.beginCapture();
  }

  void endCapture(CudaDriver driver) {
    capture = Capture.NONE;
    marks.endCapture(driver);
  }

  private static boolean isSome(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("less than nothing: count=" + count);
    }
    return count > 0;
  }

  private static void requireNative(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException("memory on the Java heap can't be copied from or to: bytes="
        + segment.byteSize());
    }
  }

  @Override
  public void close() {
    if (this == device.defaultStream()) {
      throw new IllegalStateException("the default stream is closed with its device: device=" + device.id());
    }
    if (isClosed()) {
      throw new IllegalStateException("closed already: " + this);
    }
    synchronize();
    dispose();
  }

  @Override
  void destroy(CudaDriver driver) {
    // The marks enter the context by itself, since this stream is closed already.
    marks.destroy(context()::enter);
    driver.destroy(handle);
  }

  @Override
  public String toString() {
    return "stream %s of %s".formatted(name, device.id());
  }
}
