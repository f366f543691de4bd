package dev.cairn.kernels.cuda.load.elf;

import java.util.ArrayList;
import java.util.List;

/**
 * The entries of a shared object's dynamic section that name other libraries.
 *
 * @param strings the offset of the string table
 * @param stringBytes the size of the string table
 * @param needed offsets, in the string table, of the names of needed libraries
 * @param versions the offset of the table of needed versions; 0 if there is none
 * @param versionCount the number of entries in that table
 */
record ElfDynamic(long strings, long stringBytes, List<Long> needed, long versions, long versionCount) {
  private static final int ENTRY_BYTES = 16;
  private static final long END = 0;
  private static final long NEEDED = 1;
  private static final long STRINGS = 5;
  private static final long STRING_BYTES = 10;
  private static final long VERSIONS_NEEDED = 0x6ffffffeL;
  private static final long VERSIONS_NEEDED_COUNT = 0x6fffffffL;

  static ElfDynamic of(ElfImage image) throws InvalidElf {
    long strings = 0;
    long stringBytes = 0;
    long versions = 0;
    long versionCount = 0;
    List<Long> needed = new ArrayList<>();
    long header = header(image);
    long from = image.int64(header + 8);
    long end = ElfImage.at(from, image.int64(header + 32));
    for (long entry = from; end - entry >= ENTRY_BYTES; entry += ENTRY_BYTES) {
      long tag = image.int64(entry);
      long value = image.int64(entry + Long.BYTES);
      if (tag == END) {
        break;
      } else if (tag == NEEDED) {
        needed.add(value);
      } else if (tag == STRINGS) {
        strings = value;
      } else if (tag == STRING_BYTES) {
        stringBytes = value;
      } else if (tag == VERSIONS_NEEDED) {
        versions = value;
      } else if (tag == VERSIONS_NEEDED_COUNT) {
        versionCount = value;
      }
    }
    return new ElfDynamic(image.offsetOf(strings), stringBytes, needed, versions == 0 ? 0 : image.offsetOf(versions),
      versionCount);
  }

  private static long header(ElfImage image) throws InvalidElf {
    for (int i = 0; i < image.segments(); i++) {
      if (image.int32(image.segment(i)) == ElfImage.SEGMENT_DYNAMIC) {
        return image.segment(i);
      }
    }
    throw new InvalidElf("there is no dynamic section: segments=" + image.segments());
  }

  /** The offset of a string in the file. */
  long string(long offset) throws InvalidElf {
    if (offset < 0 || offset >= stringBytes) {
      throw new InvalidElf("a string lies outside of its table: offset=0x%x bytes=0x%x".formatted(offset, stringBytes));
    }
    return ElfImage.at(strings, offset);
  }
}
