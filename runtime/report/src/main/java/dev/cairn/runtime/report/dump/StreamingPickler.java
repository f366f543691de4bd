package dev.cairn.runtime.report.dump;

import java.io.IOException;
import net.razorvine.pickle.IObjectPickler;
import net.razorvine.pickle.Opcodes;
import net.razorvine.pickle.Pickler;

/**
 * The library's pickler with lists and dictionaries that are written as they come, for parts that are too large to hold
 * in memory as maps. Used once.
 */
final class StreamingPickler extends Pickler {
  // Implementation note. The library writes a list with a single APPENDS. Python takes that, but PyTorch's viewer hands
  // all elements of one APPENDS to a function as arguments, which browsers refuse from about 10^5 on. Python's own
  // pickler appends a thousand at a time, and so does this one. The library still writes all values, and remembers
  // texts, so that each key and each name is in the file once.

  private static final int BATCH = 1000;

  /** A value that writes itself, piece by piece. */
  @FunctionalInterface
  interface Part {
    void writeTo(StreamingPickler pickler) throws IOException;
  }

  /** Writes one element of a list. */
  @FunctionalInterface
  interface Element {
    void write(int index) throws IOException;
  }

  /** Writes the entries of a dictionary, each with {@link #entry}. */
  @FunctionalInterface
  interface Entries {
    void write() throws IOException;
  }

  @Override
  protected IObjectPickler getCustomPickler(Class<?> type) {
    return Part.class.isAssignableFrom(type)
      ? (part, out, pickler) -> ((Part) part).writeTo(this)
      : super.getCustomPickler(type);
  }

  void list(int length, Element element) throws IOException {
    out.write(Opcodes.EMPTY_LIST);
    for (int from = 0; from < length; from += BATCH) {
      out.write(Opcodes.MARK);
      for (int index = from; index < Math.min(length, from + BATCH); index++) {
        element.write(index);
      }
      out.write(Opcodes.APPENDS);
    }
  }

  void dictionary(Entries entries) throws IOException {
    out.write(Opcodes.EMPTY_DICT);
    out.write(Opcodes.MARK);
    entries.write();
    out.write(Opcodes.SETITEMS);
  }

  void entry(String key, Object value) throws IOException {
    save(key);
    save(value);
  }
}
