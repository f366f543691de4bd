package dev.cairn.kernels.cuda.load.elf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A shared object for x86-64 Linux in memory. Its tables are not trusted: a read outside of the bytes throws {@link
 * InvalidElf}. Layouts are those of the System V ABI, "Object Files" (ELF-64).
 */
final class ElfImage {
  static final int HEADER_BYTES = 64;
  static final int X86_64 = 62;
  static final int SEGMENT_BYTES = 56;
  static final int SEGMENT_LOAD = 1;
  static final int SEGMENT_DYNAMIC = 2;

  private static final int MAGIC = 0x464c457f;
  private static final int CLASS_64 = 2;
  private static final int LITTLE_ENDIAN = 1;
  private static final int SHARED_OBJECT = 3;

  private final ByteBuffer bytes;

  /** @param content the file's bytes, which are not copied: patches change them */
  ElfImage(byte[] content) throws InvalidElf {
    bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    require(content.length >= HEADER_BYTES && int32(0) == MAGIC, "no ELF file", content.length);
    require(bytes.get(4) == CLASS_64, "not 64 bits wide", bytes.get(4));
    require(bytes.get(5) == LITTLE_ENDIAN, "not little-endian", bytes.get(5));
    require(uint16(16) == SHARED_OBJECT, "no shared object", uint16(16));
    require(uint16(18) == X86_64, "not for x86-64", uint16(18));
    require(segments() == 0 || uint16(54) == SEGMENT_BYTES, "segment headers of another size", uint16(54));
  }

  int segments() throws InvalidElf {
    return uint16(56);
  }

  /** The offset of a segment's header. */
  long segment(int index) throws InvalidElf {
    return at(int64(32), (long) index * SEGMENT_BYTES);
  }

  /** The offset in the file of the byte that is mapped to an address. */
  long offsetOf(long address) throws InvalidElf {
    for (int i = 0; i < segments(); i++) {
      long header = segment(i);
      long start = int64(header + 16);
      long size = int64(header + 32);
      if (int32(header) == SEGMENT_LOAD && address >= start && address - start < size) {
        return at(int64(header + 8), address - start);
      }
    }
    throw new InvalidElf("an address lies in no segment: address=0x%x".formatted(address));
  }

  int uint16(long offset) throws InvalidElf {
    return Short.toUnsignedInt(bytes.getShort(checked(offset, Short.BYTES)));
  }

  int int32(long offset) throws InvalidElf {
    return bytes.getInt(checked(offset, Integer.BYTES));
  }

  long uint32(long offset) throws InvalidElf {
    return Integer.toUnsignedLong(int32(offset));
  }

  long int64(long offset) throws InvalidElf {
    return bytes.getLong(checked(offset, Long.BYTES));
  }

  /** Whether exactly this text is at an offset, followed by a NUL. */
  boolean hasText(long offset, String text) throws InvalidElf {
    byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
    int from = checked(offset, 1);
    if (bytes.limit() - from <= wanted.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (bytes.get(from + i) != wanted[i]) {
        return false;
      }
    }
    return bytes.get(from + wanted.length) == 0;
  }

  void put32(long offset, int value) throws InvalidElf {
    bytes.putInt(checked(offset, Integer.BYTES), value);
  }

  void putText(long offset, String text) throws InvalidElf {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    bytes.put(checked(offset, ascii.length), ascii);
  }

  /** The sum of two offsets. Throws if it overflows or is negative. */
  static long at(long base, long distance) throws InvalidElf {
    if (base < 0 || distance < 0 || base > Long.MAX_VALUE - distance) {
      throw new InvalidElf("an offset is out of range: base=0x%x distance=0x%x".formatted(base, distance));
    }
    return base + distance;
  }

  private int checked(long offset, int length) throws InvalidElf {
    if (offset < 0 || offset > bytes.limit() - length) {
      throw new InvalidElf("an offset lies outside of the file: offset=0x%x length=%d bytes=%d".formatted(offset,
        length, bytes.limit()));
    }
    return (int) offset;
  }

  private static void require(boolean holds, String what, int seen) throws InvalidElf {
    if (!holds) {
      throw new InvalidElf("%s: seen=%d".formatted(what, seen));
    }
  }
}
