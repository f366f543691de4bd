package dev.cairn.runtime.engine;

/**
 * The line of a variable that can be deleted. A delete comes behind all pushes before it, also behind those that
 * threads hold back for a bulk; pushes after it are refused.
 */
abstract class DeletableLine extends WaitingLine {
  /** Whether its delete was asked for. From then on it takes no new pushes. */
  private volatile boolean deleted;
  /** How many threads hold back pushes that touch it; guarded by the word's lock. */
  private int holders;

  DeletableLine(long[] words, int at) {
    super(words, at);
  }

  final boolean isDeleted() {
    return deleted;
  }

  /**
   * From now on it takes no pushes but the delete, and those that threads hold back already.
   *
   * @return whether there are none of these; if not, the last {@link #endHold} says so
   * @throws IllegalStateException when it was deleted before
   */
  final boolean delete() {
    long held = lock();
    if (deleted) {
      unlock(held);
      throw new IllegalStateException("deleted twice: variable=" + this);
    }
    deleted = true;
    boolean isLast = holders == 0;
    unlock(isLast ? held | StateWord.DELETED : held);
    return isLast;
  }

  /**
   * A thread holds back pushes that touch it. Its delete comes after them.
   *
   * @param operation the name of the first one
   * @throws IllegalStateException when it is deleted
   */
  final void beginHold(String operation) {
    long held = lock();
    boolean refused = deleted;
    holders += refused ? 0 : 1;
    unlock(held);
    if (refused) {
      throw refusal(operation);
    }
  }

  /** The thread has handed them over, or given them up; whether a delete has waited for that, and may follow now. */
  final boolean endHold() {
    long held = lock();
    holders--;
    boolean isLast = deleted && holders == 0;
    unlock(isLast ? held | StateWord.DELETED : held);
    return isLast;
  }

  final IllegalStateException refusal(String operation) {
    return new IllegalStateException("a deleted variable: operation=%s variable=%s".formatted(operation, this));
  }
}
