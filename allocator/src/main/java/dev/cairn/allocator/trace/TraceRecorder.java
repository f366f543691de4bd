package dev.cairn.allocator.trace;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Records what the allocators that it listens to do, as a log in RMM's format, which {@link RmmCsv} reads back. Safe
 * for use by many threads, and by several allocators of one memory. The maker of a recorder closes it, after the
 * allocators; the file is whole only then.
 *
 * <p>To an allocator, recording is some numbers put into an array. Lines are made and written by a thread of the
 * recorder's own, up to 8,192 events later; a caller that fills faster than that thread writes waits, since a trace
 * with a hole is useless. When the disk fails, recording ends, no allocation is disturbed, and {@link #close} throws.
 *
 * <p>Sizes are those asked for. A grant that another listener undid is followed by its free.
 */
public final class TraceRecorder implements AllocationListener, AutoCloseable {
  private static final long MICROS_OF_DAY = TimeUnit.DAYS.toMicros(1);

  private final OutputStream out;
  private final EventQueue queue;
  private final AddressMap requestedBytesByAddress = new AddressMap();
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final long startMicrosOfDay;
  private boolean closed;

  /** A recorder that writes to {@code out}, and closes it in the end. Several lines are written at a time. */
  public TraceRecorder(OutputStream out) {
    this(out, System::nanoTime, LocalTime.now(ZoneId.systemDefault()), () -> {});
  }

  /**
   * @param nanoTime the clock of the events
   * @param start the time of day at which the recording starts
   * @param whenFull called before each wait of a thread that is faster than the writer
   */
  TraceRecorder(OutputStream out, LongSupplier nanoTime, LocalTime start, Runnable whenFull) {
    this.out = out;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.startMicrosOfDay = start.getLong(ChronoField.MICRO_OF_DAY);
    this.queue = new EventQueue(out, whenFull);
    queue.start();
  }

  /** A recorder that overwrites a file. */
  public static TraceRecorder to(Path file) throws IOException {
    return new TraceRecorder(Files.newOutputStream(file));
  }

  @Override
  public synchronized void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
    if (!closed) {
      requestedBytesByAddress.put(address, requestedBytes);
      record(RmmLines.ALLOCATE, address, requestedBytes);
    }
  }

  @Override
  public synchronized void freed(long allocationId, long address, long bytes) {
    if (!closed) {
      // Of blocks that were granted before the recording began, only the whole chunk is known.
      long requestedBytes = requestedBytesByAddress.remove(address);
      record(RmmLines.FREE, address, requestedBytes == 0 ? bytes : requestedBytes);
    }
  }

  @Override
  public synchronized void refused(OutOfMemory refusal) {
    if (!closed) {
      record(RmmLines.FAILURE, 0, refusal.requestedBytes());
    }
  }

  private void record(int action, long address, long bytes) {
    long micros = startMicrosOfDay + TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - startNanos);
    long timeAndAction = RmmLines.timeAndAction(micros % MICROS_OF_DAY, action);
    queue.add(Thread.currentThread().threadId(), timeAndAction, address, bytes);
  }

  /**
   * Writes the remaining events and closes the stream; later events are not recorded.
   *
   * @throws IOException when not all could be written
   * @throws IllegalStateException when closed before
   */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("trace recorder is closed");
      }
      closed = true;
    }
    try (OutputStream closing = out) {
      Throwable failure = queue.finish();
      if (failure != null) {
        throw new IOException("the trace is incomplete: " + failure.getMessage(), failure);
      }
      closing.flush();
    }
  }
}
