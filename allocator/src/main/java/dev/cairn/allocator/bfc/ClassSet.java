package dev.cairn.allocator.bfc;

import dev.cairn.allocator.SizeBins;

/**
 * A set of size classes: a bit for each class, and a bit for each word of these bits that is not 0. Not safe for many
 * threads.
 */
final class ClassSet {
  private static final int WORD_LOG2 = 6;

  private final long[] words = new long[(SizeClasses.COUNT >>> WORD_LOG2) + 1];
  private long occupiedWords;

  void add(int sizeClass) {
    words[sizeClass >>> WORD_LOG2] |= 1L << sizeClass;
    occupiedWords |= 1L << (sizeClass >>> WORD_LOG2);
  }

  void remove(int sizeClass) {
    int word = sizeClass >>> WORD_LOG2;
    words[word] &= ~(1L << sizeClass);
    if (words[word] == 0) {
      occupiedWords &= ~(1L << word);
    }
  }

  boolean contains(int sizeClass) {
    return (words[sizeClass >>> WORD_LOG2] & (1L << sizeClass)) != 0;
  }

  boolean isEmpty() {
    return occupiedWords == 0;
  }

  /** The smallest class here that is at least {@code sizeClass}; -1 when there is none. */
  int atLeast(int sizeClass) {
    int word = sizeClass >>> WORD_LOG2;
    long inWord = words[word] & (-1L << sizeClass);
    if (inWord != 0) {
      return (word << WORD_LOG2) + Long.numberOfTrailingZeros(inWord);
    }
    long above = occupiedWords & (-2L << word);
    if (above == 0) {
      return -1;
    }
    int next = Long.numberOfTrailingZeros(above);
    return (next << WORD_LOG2) + Long.numberOfTrailingZeros(words[next]);
  }

  /** The largest class here, which must not be empty. */
  int largest() {
    int word = SizeBins.floorLog2(occupiedWords);
    return (word << WORD_LOG2) + SizeBins.floorLog2(words[word]);
  }
}
