package dev.cairn.kernels.cuda;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The primary context of one device, retained once, and all objects created in it. Closing destroys the remaining
 * objects, latest first, and then releases the context. Thread-safe.
 */
final class CudaContext implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CudaContext.class);

  private final CudaDriver driver;
  private final CUdevice device;
  private final CUcontext handle;
  private final int ordinal;
  private final SequencedSet<CudaObject> objects = new LinkedHashSet<>();
  private volatile boolean closed;
  private volatile boolean released;

  private CudaContext(CudaDriver driver, CUdevice device, CUcontext handle, int ordinal) {
    this.driver = driver;
    this.device = device;
    this.handle = handle;
    this.ordinal = ordinal;
  }

  static CudaContext retain(CudaDriver driver, int ordinal) {
    CUdevice device = driver.device(ordinal);
    return new CudaContext(driver, device, driver.retainPrimary(device), ordinal);
  }

  /**
   * Makes this the calling thread's current context and returns the driver. Every call does so, because other users of
   * CUDA in this process may have set another context. It takes about 30 ns.
   */
  CudaDriver enter() {
    if (closed) {
      throw new IllegalStateException("device is closed: device=cuda:" + ordinal);
    }
    driver.setCurrent(handle);
    return driver;
  }

  /** Lets this context's copies reach another device's memory; false if the machine has no way between the two. */
  boolean reaches(CudaContext peer) {
    return enter().enablePeer(device, peer.device, peer.handle);
  }

  boolean isOpen() {
    return !closed;
  }

  /** The driver, for calls that must happen even if the context cannot become current. */
  CudaDriver driver() {
    return driver;
  }

  int ordinal() {
    return ordinal;
  }

  synchronized void adopt(CudaObject object) {
    objects.add(object);
  }

  synchronized void forget(CudaObject object) {
    objects.remove(object);
  }

  private synchronized List<CudaObject> latestFirst() {
    return new ArrayList<>(objects.reversed());
  }

  /**
   * If the driver refuses to destroy an object, that object and the context stay open, and the caller may close the
   * context again. If the context is lost, every call fails; closing ignores the failures and continues to the end.
   */
  @Override
  public void close() {
    if (released) {
      return;
    }
    List<CudaFailure> failures = new ArrayList<>();
    if (!closed) {
      latestFirst().forEach(object -> collect(object::dispose, failures));
    }
    if (failures.stream().allMatch(CudaFailure::losesContext)) {
      // A second try: the first one may have reported an earlier, unrelated fault.
      latestFirst().forEach(object -> collect(object::dispose, failures));
      collect(this::release, failures);
    }
    finish(failures);
  }

  private void release() {
    try {
      driver.releasePrimary(device);
    } catch (CudaFailure e) {
      closed = e.losesContext();
      throw e;
    }
    closed = true;
    released = true;
  }

  private static void collect(Runnable step, List<CudaFailure> failures) {
    try {
      step.run();
    } catch (CudaFailure e) {
      failures.add(e);
    }
  }

  private void finish(List<CudaFailure> failures) {
    if (failures.isEmpty()) {
      return;
    }
    CudaFailure first = failures.removeFirst();
    if (first.losesContext() && failures.stream().allMatch(CudaFailure::losesContext)) {
      LOG.debug("closed a lost context: device=cuda:{} failures={}", ordinal, failures.size() + 1, first);
      return;
    }
    failures.forEach(first::addSuppressed);
    throw first;
  }
}
