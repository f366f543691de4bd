package dev.cairn.runtime.cached;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/** Counts the objects of classes that can be reached. */
final class LiveObjects {
  private LiveObjects() {}

  /** By class. Collects garbage first. */
  static Map<String, Long> count(String... types) {
    try {
      String table = (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName(
        "com.sun.management:type=DiagnosticCommand"), "gcClassHistogram", new Object[] {new String[0]},
        new String[] {
          String[].class.getName()});
      // As in "   1:   123   4567  dev.cairn.Type".
      Map<String, Long> counts = new HashMap<>();
      for (String type : types) {
        counts.put(type, 0L);
      }
      table.lines().map(line -> line.strip().split("\\s+")).filter(it -> it.length >= 4 && counts.containsKey(it[3]))
        .forEach(it -> counts.merge(it[3], Long.parseLong(it[1]), Long::sum));
      return counts;
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
