package dev.cairn.kernels.cpu.vector;

/**
 * The JDK's module {@code jdk.incubator.vector}, which the kernels {@code Vector...} need. A JVM that is started with
 * {@code --add-modules=jdk.incubator.vector} has it, but JDK 25 refuses such a JVM an AOT cache with linked classes
 * (JEP 483). {@link #load} adds the module to a JVM that was started without it.
 */
public final class VectorModule {
  private static final String NAME = "jdk.incubator.vector";

  private static volatile boolean loaded;

  private VectorModule() {}

  /** Whether the JVM has the module. Asks for no class of it, which an AOT cache could not hold. */
  static boolean isThere() {
    return loaded || ModuleLayer.boot().findModule(NAME).isPresent();
  }

  /**
   * Adds the module to this JVM, if it was started with {@code --add-exports=java.base/jdk.internal.module=ALL-UNNAMED}
   * or its executable jar has {@code Add-Exports: java.base/jdk.internal.module}. Call it before Cairn opens a session
   * or makes an array. The run that trains an AOT cache must call it last or not at all, because a cache cannot hold
   * classes that have used the module.
   *
   * @return whether the JVM has the module now; if not, Cairn runs without vector kernels and says so
   */
  public static boolean load() {
    try {
      Class.forName("jdk.internal.module.Modules").getMethod("loadModule", String.class).invoke(null, NAME);
      loaded = true;
    } catch (ReflectiveOperationException | LinkageError e) {
      // The JVM was started without the export, or the JDK lacks the method.
    }
    return isThere();
  }
}
