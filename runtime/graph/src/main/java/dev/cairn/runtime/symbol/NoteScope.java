package dev.cairn.runtime.symbol;

import dev.cairn.kernels.device.ProgramLocal;
import dev.cairn.runtime.graph.Notes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notes for all nodes that this thread makes while the scope is open. A node's own notes win over the innermost
 * scope's, and those over the notes of the scopes around it.
 */
public final class NoteScope implements AutoCloseable {
  private static final ProgramLocal<NoteScope> INNERMOST = new ProgramLocal<>();

  private final Notes notes;
  private final @Nullable NoteScope outer;

  private NoteScope(Notes notes, @Nullable NoteScope outer) {
    this.notes = notes;
    this.outer = outer;
  }

  /** Opens a scope. */
  public static NoteScope of(Map<String, String> notes) {
    var scope = new NoteScope(current().withAll(Notes.of(notes)), INNERMOST.get());
    INNERMOST.set(scope);
    return scope;
  }

  /** Opens a scope with one note. */
  public static NoteScope of(String name, String value) {
    return of(Map.of(name, value));
  }

  /** The notes of the thread's open scopes. */
  static Notes current() {
    NoteScope innermost = INNERMOST.get();
    return innermost == null ? Notes.NONE : innermost.notes;
  }

  /** @throws IllegalStateException when it is not the innermost scope of this thread */
  @Override
  public void close() {
    if (INNERMOST.get() != this) {
      throw new IllegalStateException("scopes close in reverse order, on their thread: notes=" + notes);
    }
    INNERMOST.set(outer);
  }
}
