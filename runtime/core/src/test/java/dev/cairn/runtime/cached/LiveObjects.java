package dev.cairn.runtime.cached;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Counts the objects of a class that can be reached. */
final class LiveObjects {
  private LiveObjects() {}

  /** Collects garbage first. */
  static long count(String type) {
    try {
      String table = (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName(
        "com.sun.management:type=DiagnosticCommand"), "gcClassHistogram", new Object[] {new String[0]},
        new String[] {
          String[].class.getName()});
      // As in "   1:   123   4567  dev.cairn.Type".
      return table.lines().map(line -> line.strip().split("\\s+")).filter(it -> it.length >= 4 && it[3].equals(type))
        .mapToLong(it -> Long.parseLong(it[1])).sum();
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
