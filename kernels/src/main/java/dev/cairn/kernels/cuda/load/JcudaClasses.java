package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.cuda.load.CudaUnavailable.Reason;
import java.nio.file.Path;
import java.util.Map;

/**
 * Initialises JCuda's classes over natives of our choice. JCuda takes a native from a fixed name in
 * {@code java.io.tmpdir}, whatever is there, so the property is pointed at the native's own folder meanwhile.
 */
final class JcudaClasses {
  private static final String TEMP_FOLDER = "java.io.tmpdir";

  private JcudaClasses() {}

  /**
   * Has a class load its native. A class for which this failed stays unusable in this process.
   *
   * @param file in a folder of its own, and such that the dynamic loader takes it
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
