package dev.cairn.runtime.report.trace;

import dev.cairn.allocator.trace.InvalidTrace;
import java.io.IOException;
import java.io.PushbackReader;

/** Finds the object literal in a page's script that is assigned to a variable. Stateless. */
final class AssignedObject {
  private AssignedObject() {}

  /**
   * Leaves {@code page} before the brace that opens the object.
   *
   * @throws InvalidTrace when no object is assigned to a variable of that name
   */
  static void find(PushbackReader page, String name) throws IOException {
    StringBuilder last = new StringBuilder();
    for (int next = page.read(); next >= 0; next = page.read()) {
      last.append((char) next);
      if (last.length() > name.length()) {
        last.deleteCharAt(0);
      }
      if (name.contentEquals(last) && nextIs(page, '=') && nextIs(page, '{')) {
        page.unread('{');
        return;
      }
    }
    throw new InvalidTrace("page has no object of this name: wanted=%s = {...}".formatted(name));
  }

  /** Passes over blanks; takes the character that follows if it is this one, and leaves any other. */
  private static boolean nextIs(PushbackReader page, char wanted) throws IOException {
    int next = page.read();
    while (next >= 0 && Character.isWhitespace(next)) {
      next = page.read();
    }
    if (next >= 0 && next != wanted) {
      page.unread(next);
    }
    return next == wanted;
  }
}
