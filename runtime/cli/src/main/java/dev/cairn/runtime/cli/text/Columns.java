package dev.cairn.runtime.cli.text;

/**
 * How many columns of a terminal a text takes: two for a Chinese, Japanese or Korean character and for an emoji, none
 * for an accent that is put on the character before it (Unicode's annex 11, without its rules for sequences of emoji).
 */
final class Columns {
  /** First and last code points that are two columns wide. */
  private static final int[][] WIDE = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97C}, {0xAC00,
    0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
    {0x1F680,
      0x1F6FF},
    {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  /** All characters before it are one column wide. */
  private static final int FIRST_OTHER = 0x300;

  private Columns() {}

  static int of(CharSequence text) {
    return text.codePoints().map(Columns::of).sum();
  }

  private static int of(int character) {
    if (character < FIRST_OTHER) {
      return 1;
    }
    int type = Character.getType(character);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    for (int[] range : WIDE) {
      if (range[0] <= character && character <= range[1]) {
        return 2;
      }
    }
    return 1;
  }
}
