package dev.cairn.kernels.cpu.access;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Gives an operator its own copy of a loop. A loop that calls an operator through an interface is fast only while it
 * has met a single operator: once it has met three, the call is no longer inlined and every vector is boxed, some
 * fifty times slower. So the loop is a template class whose operator is a constant, its <em>class data</em>, and each
 * operator gets a hidden class of the template's bytes: the compiler then sees a constant receiver, whatever other
 * operators ran before.
 */
public final class LoopCopy {
  private LoopCopy() {}

  /**
   * A new instance of a hidden copy of {@code template}.
   *
   * @param lookup of the template's package
   * @param template a class of its own file, with no nested classes and a constructor without parameters, which reads
   *   its operator by {@link MethodHandles#classData}
   */
  public static <T> T of(MethodHandles.Lookup lookup, Class<T> type, Class<? extends T> template, Object operator) {
    String file = template.getSimpleName() + ".class";
    try (InputStream bytes = template.getResourceAsStream(file)) {
      if (bytes == null) {
        throw new IllegalStateException("class file not found: file=" + file);
      }
      MethodHandles.Lookup hidden = lookup.defineHiddenClassWithClassData(bytes.readAllBytes(), operator, true);
      var constructor = hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class));
      return type.cast(constructor.invoke());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("loop not copied: template=" + template.getName(), e);
    }
  }
}
