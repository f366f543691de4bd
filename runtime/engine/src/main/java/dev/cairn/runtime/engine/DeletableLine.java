package dev.cairn.runtime.engine;

/**
 * The waiting line of a variable that can be deleted. A delete comes behind all earlier pushes, also behind those that
 * threads hold back for a bulk. Later pushes are refused.
 */
abstract class DeletableLine extends WaitingLine {
  /** Whether {@link #delete} was called. From then on the line takes no new pushes. */
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
   * From now on the line takes only the delete, and pushes that threads hold back already.
   *
   * @return whether no thread holds any back; if one does, the last {@link #endHold} returns true
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
   * A thread holds back pushes that touch the variable. The delete comes after them.
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

  /** The thread has pushed them or given them up. Returns whether a delete has waited for that and may follow now. */
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
