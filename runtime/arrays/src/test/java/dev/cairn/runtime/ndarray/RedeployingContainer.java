package dev.cairn.runtime.ndarray;

import dev.cairn.testing.Reclaimed;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Loads Cairn as a container loads it with a web application, runs it on a thread that outlives the application, and
 * waits until the application's class loader is collected. {@link RedeployTest} starts it.
 */
public final class RedeployingContainer {
  private RedeployingContainer() {}

  /** Loads Cairn's classes itself; the loader of this class has all others. */
  private static final class CairnLoader extends ClassLoader {
    CairnLoader() {
      super("redeployed", RedeployingContainer.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.cairn.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? define(name) : known;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Prints a line when the loader is gone; waits for ever, if something keeps it. */
  public static void main(String[] arguments) throws InterruptedException {
    // Netty keeps an exception with the frames of its first caller, whose classes it so keeps, too.
    boolean _ = Unpooled.directBuffer(1).release();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Reclaimed.await(() -> deployed(thread));
      System.out.println("collected");
    }
  }

  /** Runs the program in a class loader of its own, and returns this loader. */
  private static ClassLoader deployed(ExecutorService thread) {
    var loader = new CairnLoader();
    try {
      Class<?> program = loader.loadClass(RedeployedProgram.class.getName());
      if (program.equals(RedeployedProgram.class)) {
        throw new AssertionError("loaded by the container");
      }
      Object made = program.getConstructor().newInstance();
      Object answer = thread.submit(() -> Objects.requireNonNull(((Callable<?>) made).call())).get();
      if (!(answer instanceof Float)) {
        throw new AssertionError("another answer: " + answer);
      }
      return loader;
    } catch (ReflectiveOperationException | InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
