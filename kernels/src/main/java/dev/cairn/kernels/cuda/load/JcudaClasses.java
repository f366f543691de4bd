package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import java.nio.file.Path;
import java.util.Map;

/**
 * Initialises JCuda's classes with native libraries that Cairn selects. JCuda loads a native by a fixed name from
 * {@code java.io.tmpdir}, whatever that file is. So this class sets the property to the native's own folder meanwhile.
 */
final class JcudaClasses {
  private static final String TEMP_FOLDER = "java.io.tmpdir";

  private JcudaClasses() {}

  /** @throws CudaUnavailable if JCuda, which is an optional dependency, is not on the class path */
  static void requirePresent(ClassLoader loader) {
    for (JcudaNative each : JcudaNative.values()) {
      if (loader.getResource(each.className().replace('.', '/') + ".class") == null) {
        throw new CudaUnavailable(Reason.NO_BINDING, Map.of("class", each.className(), "remedy",
          "add the dependency dev.cairn:cairn-cuda"));
      }
    }
  }

  /**
   * Makes a class load its native. If this fails, the class stays unusable in this process.
   *
   * @param file the native, alone in its folder, which the dynamic loader must accept
   */
  static void initialise(JcudaNative wanted, Path file) {
    Map<String, String> facts = Map.of("class", wanted.className(), "native", file.toString());
    String before = System.getProperty(TEMP_FOLDER);
    System.setProperty(TEMP_FOLDER, String.valueOf(file.getParent()));
    try {
      Class.forName(wanted.className(), true, JcudaClasses.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new CudaUnavailable(Reason.BINDING_BROKEN, facts, e);
    } finally {
      if (before == null) {
        System.clearProperty(TEMP_FOLDER);
      } else {
        System.setProperty(TEMP_FOLDER, before);
      }
    }
  }
}
