package dev.cairn.runtime.cli.doctor;

/**
 * The Java that runs this, and the platform it is for.
 *
 * @param vendor who made it
 * @param system {@code os.name}
 * @param architecture {@code os.arch}
 * @param compactHeaders whether the JVM runs with {@code -XX:+UseCompactObjectHeaders}
 */
public record JavaFacts(Runtime.Version version, String vendor, String system, String architecture,
  NativeAccess nativeAccess, boolean compactHeaders) {

  /** Whether Java may load native code. */
  public enum NativeAccess {
    ENABLED,
    WITH_A_WARNING,
    DENIED
  }
}
