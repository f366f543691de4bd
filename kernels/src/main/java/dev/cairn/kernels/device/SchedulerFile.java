package dev.cairn.kernels.device;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The file in which Linux counts the times of one thread. Any thread may read it; one at a time. */
final class SchedulerFile implements ProcessorWaits.Counter {
  private static final String OF_THIS_THREAD = "/proc/thread-self/schedstat";
  private static final int MOST_BYTES = 128;

  // Not a channel: an interrupt of the reading thread would close that.
  private final RandomAccessFile file;
  private final byte[] bytes = new byte[MOST_BYTES];

  private SchedulerFile(RandomAccessFile file) {
    this.file = file;
  }

  /** The calling thread's file, which stays that thread's; empty where the system has none. */
  static Optional<SchedulerFile> ofThisThread() {
    try {
      return Optional.of(new SchedulerFile(new RandomAccessFile(OF_THIS_THREAD, "r")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<ThreadTimes> read() {
    try {
      file.seek(0);
      int length = file.read(bytes);
      return length <= 0
        ? Optional.empty()
        : Optional.of(ThreadTimes.parse(new String(bytes, 0, length, StandardCharsets.US_ASCII)));
    } catch (IOException | NumberFormatException e) {
      // A file of a thread that has ended cannot be read.
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new AssertionError("a file that was only read cannot be closed", e);
    }
  }
}
