package dev.cairn.runtime.value;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The duty to close something. Closing twice throws, because the second closer believes in something that is not there.
 * When the owner becomes unreachable without having been closed, what it holds is released all the same, and the log
 * says where the owner was made.
 */
public final class Ownership {
  private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private final Duty duty;
  private final Cleaner.Cleanable cleanable;

  /** What outlives the owner: must not refer to it. */
  private static final class Duty implements Runnable {
    private final String what;
    private final Runnable release;
    private final Runnable abandon;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Throwable madeHere;

    Duty(String what, Runnable release, Runnable abandon) {
      this.what = what;
      this.release = release;
      this.abandon = abandon;
      this.madeHere = new Throwable("made here");
    }

    @Override
    public void run() {
      if (closed.compareAndSet(false, true)) {
        LOG.warn("never closed, released now: {}", what, madeHere);
        try {
          abandon.run();
        } catch (RuntimeException e) {
          // The cleaner's thread would ignore the exception.
          LOG.error("could not be released: {}", what, e);
        }
      }
    }
  }

  /** A release that has done nothing and may be tried again. */
  public static final class Refused extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public Refused(String why) {
      super(why);
    }

    Refused(String why, Throwable cause) {
      super(why, cause);
    }
  }

  /**
   * @param owner the object that a user must close
   * @param what for the log and for errors: what it is
   * @param release gives back what is held; must not refer to {@code owner}
   */
  public Ownership(Object owner, String what, Runnable release) {
    this(owner, what, release, release);
  }

  /**
   * @param owner the object that a user must close
   * @param what for the log and for errors: what it is
   * @param release gives back what is held, or throws {@link Refused}; must not refer to {@code owner}
   * @param abandon gives back what is held of an owner that was never closed, as soon as it is possible; must not refer
   *   to {@code owner}
   */
  Ownership(Object owner, String what, Runnable release, Runnable abandon) {
    this.duty = new Duty(what, release, abandon);
    this.cleanable = CLEANER.register(owner, duty);
  }

  public boolean isClosed() {
    return duty.closed.get();
  }

  /** @throws IllegalStateException when closed already */
  public void requireOpen() {
    if (isClosed()) {
      throw new IllegalStateException("already closed: " + duty.what);
    }
  }

  /**
   * Releases what is held. When the release is {@link Refused}, nothing has happened: it may be tried again. After any
   * other failure of the release, the owner is closed.
   *
   * @throws IllegalStateException when closed before
   */
  public void close() {
    if (!duty.closed.compareAndSet(false, true)) {
      throw new IllegalStateException("closed twice: " + duty.what);
    }
    try {
      duty.release.run();
    } catch (Refused e) {
      duty.closed.set(false);
      throw e;
    } catch (RuntimeException | Error e) {
      cleanable.clean();
      throw e;
    }
    cleanable.clean();
  }
}
