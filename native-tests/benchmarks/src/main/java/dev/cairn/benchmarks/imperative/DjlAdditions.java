package dev.cairn.benchmarks.imperative;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * By the arrays of DJL over PyTorch. An operation has ended when its call returns. The jars are no dependency of this
 * module: they are used where Maven has fetched them.
 */
final class DjlAdditions extends PeerAdditions {
  static final String NAME = "DJL 0.33.0 with PyTorch 2.5.1";
  /** The path in Maven's repository; those of native code first. */
  private static final List<String> JARS = List.of(
    "ai/djl/pytorch/pytorch-native-cpu/2.5.1/pytorch-native-cpu-2.5.1-linux-x86_64.jar",
    "ai/djl/pytorch/pytorch-jni/2.5.1-0.33.0/pytorch-jni-2.5.1-0.33.0.jar",
    "ai/djl/pytorch/pytorch-engine/0.33.0/pytorch-engine-0.33.0.jar", "ai/djl/api/0.33.0/api-0.33.0.jar",
    "com/google/code/gson/gson/2.13.1/gson-2.13.1.jar", "net/java/dev/jna/jna/5.14.0/jna-5.14.0.jar",
    "org/apache/commons/commons-compress/1.27.1/commons-compress-1.27.1.jar");

  private final URLClassLoader loader;
  private final MethodHandle add;
  private final MethodHandle free;
  private final AutoCloseable manager;
  private final Object a;
  private final Object b;
  private final Object[] made = new Object[Additions.CALLS];

  private DjlAdditions(URLClassLoader loader) throws ReflectiveOperationException {
    this.loader = loader;
    Class<?> managers = loader.loadClass("ai.djl.ndarray.NDManager");
    Class<?> arrays = loader.loadClass("ai.djl.ndarray.NDArray");
    Class<?> shapes = loader.loadClass("ai.djl.ndarray.types.Shape");
    manager = (AutoCloseable) managers.getMethod("newBaseManager").invoke(null);
    Object shape = shapes.getConstructor(long[].class).newInstance(new long[] {Additions.ELEMENTS});
    a = managers.getMethod("ones", shapes).invoke(manager, shape);
    b = managers.getMethod("ones", shapes).invoke(manager, shape);
    add = MethodHandles.publicLookup().unreflect(arrays.getMethod("add", arrays)).asType(MethodType.methodType(
      Object.class, Object.class, Object.class));
    free = MethodHandles.publicLookup().unreflect(arrays.getMethod("close")).asType(MethodType.methodType(void.class,
      Object.class));
  }

  /** Empty where a jar is missing. */
  static Optional<DjlAdditions> open(Path repository) {
    List<Path> jars = JARS.stream().map(repository::resolve).toList();
    if (!jars.stream().allMatch(Files::exists)) {
      return Optional.empty();
    }
    // Otherwise it would look for files on the network, and report its use to its maker.
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      Path cache = Files.createTempDirectory("cairn-benchmarks-djl");
      System.setProperty("ENGINE_CACHE_DIR", cache.toString());
      URL[] urls = new URL[jars.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = jars.get(i).toUri().toURL();
      }
      var loader = new URLClassLoader(urls, DjlAdditions.class.getClassLoader());
      // DJL finds its engine and the native code by it.
      thread.setContextClassLoader(loader);
      var opened = new DjlAdditions(loader);
      delete(cache);
      return Optional.of(opened);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("DJL was not loaded: repository=" + repository, e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** The libraries in the folder are loaded. */
  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  void calls() {
    try {
      for (int i = 0; i < made.length; i++) {
        made[i] = (Object) add.invokeExact(a, b);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("DJL was not called", e);
    }
  }

  @Override
  void end() {
    try {
      for (Object array : made) {
        free.invokeExact(array);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("DJL was not called", e);
    }
  }

  @Override
  public void close() {
    try (loader) {
      manager.close();
    } catch (Exception e) {
      throw new IllegalStateException("DJL was not closed", e);
    }
  }
}
