package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.StreamProgress;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.stream.StreamUses;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of a device as its allocator knows them: by number, with their marks as times. Memory that several
 * streams may still use has a number of its own, of which no request is; its times count such frees. Thread-safe.
 */
final class StreamTimeline implements StreamProgress {
  private static final Logger LOG = LoggerFactory.getLogger(StreamTimeline.class);

  /** Memory that several streams may still use. */
  static final int SEVERAL = 1;
  private static final int FIRST = 2;
  /** The driver's errors about captures of streams, which lose nothing, are from 900 to here. */
  private static final int LAST_CAPTURE_ERROR = 907;

  private final Map<Stream, Integer> numbers = new ConcurrentHashMap<>();
  private final List<Stream> streams = new CopyOnWriteArrayList<>();
  private final Map<Long, StreamUses> several = new ConcurrentHashMap<>();
  private final AtomicLong severalTimes = new AtomicLong();

  /** The number of a stream. */
  int number(Stream stream) {
    Integer known = numbers.get(stream);
    return known != null ? known : newNumber(stream);
  }

  private synchronized int newNumber(Stream stream) {
    return numbers.computeIfAbsent(stream, it -> {
      streams.add(it);
      return FIRST + streams.size() - 1;
    });
  }

  /** The time, of {@link #SEVERAL}, at which all these uses have ended. */
  long time(StreamUses uses) {
    long time = severalTimes.incrementAndGet();
    several.put(time, uses);
    return time;
  }

  @Override
  public boolean comesAfter(int waiting, int stream, long time) {
    try {
      Stream later = streams.get(waiting - FIRST);
      if (stream != SEVERAL) {
        later.waitFor(streams.get(stream - FIRST), time);
        return true;
      }
    } catch (CudaFailure | IllegalStateException | IllegalArgumentException e) {
      // The pool grows instead; if the device is lost, the next operation says so.
      LOG.debug("a stream cannot wait for another one: waiting={} stream={}", waiting, stream, e);
    }
    return false;
  }

  @Override
  public boolean hasPassed(int stream, long time) {
    try {
      if (stream != SEVERAL) {
        return streams.get(stream - FIRST).hasPassed(time);
      }
      StreamUses uses = several.get(time);
      boolean done = uses == null || uses.getAsBoolean();
      if (done) {
        several.remove(time);
      }
      return done;
    } catch (CudaFailure e) {
      // After any other error, the device is lost: nothing runs on it, and the operations that failed say so.
      return e.code() < 900 || e.code() > LAST_CAPTURE_ERROR;
    } catch (IllegalStateException e) {
      // The stream is being recorded.
      return false;
    }
  }
}
