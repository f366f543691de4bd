package dev.cairn.kernels.cuda.load.elf;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/**
 * Changes a library that a shared object needs. Only the library's name and the version of its symbols change:
 *
 * <pre>
 *   .dynstr           "libcublas.so.12"              a name of the same length takes its place
 *   .gnu.version_r    file: libcublas.so.12          refers to that string
 *                       version: libcublas.so.12     likewise; beside it the ELF hash of the name, which must follow
 * </pre>
 *
 * The loader compares hashes before names. With a wrong hash it would miss the version of every symbol.
 */
public final class ElfPatch {
  private static final int ENTRY_BYTES = 16;

  private final ElfImage image;
  private final ElfDynamic dynamic;
  private final String from;
  private final String to;
  private final Set<Long> names = new TreeSet<>();

  private ElfPatch(byte[] content, String from, String to) throws InvalidElf {
    this.image = new ElfImage(content);
    this.dynamic = ElfDynamic.of(image);
    this.from = from;
    this.to = to;
  }

  /**
   * Returns a copy that needs {@code to} instead of {@code from}.
   *
   * @throws InvalidElf if the original is not a shared object for x86-64, is damaged, or does not need {@code from}
   */
  public static byte[] withNeededLibrary(byte[] original, String from, String to) throws InvalidElf {
    if (from.length() != to.length() || !StandardCharsets.US_ASCII.newEncoder().canEncode(from + to)) {
      throw new IllegalArgumentException("names must be of one length, in ASCII: from=%s to=%s".formatted(from, to));
    }
    byte[] copy = original.clone();
    new ElfPatch(copy, from, to).run();
    return copy;
  }

  private void run() throws InvalidElf {
    for (long name : dynamic.needed()) {
      collect(dynamic.string(name));
    }
    if (names.isEmpty()) {
      throw new InvalidElf("the library is not needed: name=" + from);
    }
    if (dynamic.versions() != 0) {
      versions();
    }
    for (long name : names) {
      image.putText(name, to);
    }
  }

  private void versions() throws InvalidElf {
    long entry = dynamic.versions();
    for (long i = 0; i < dynamic.versionCount(); i++) {
      if (collect(dynamic.string(image.uint32(entry + 4)))) {
        hashes(ElfImage.at(entry, image.uint32(entry + 8)), image.uint16(entry + 2));
      }
      long distance = distance(entry);
      if (distance == 0) {
        return;
      }
      entry = ElfImage.at(entry, distance);
    }
  }

  private void hashes(long first, int count) throws InvalidElf {
    long aux = first;
    for (int i = 0; i < count; i++) {
      if (collect(dynamic.string(image.uint32(aux + 8)))) {
        image.put32(aux, hash(to));
      }
      long distance = distance(aux);
      if (distance == 0) {
        return;
      }
      aux = ElfImage.at(aux, distance);
    }
  }

  /** The distance from an entry to the next one, which is the entry's last field; 0 for the last entry. */
  private long distance(long entry) throws InvalidElf {
    long distance = image.uint32(entry + ENTRY_BYTES - Integer.BYTES);
    if (distance != 0 && distance < ENTRY_BYTES) {
      throw new InvalidElf("entries of the version table overlap: distance=" + distance);
    }
    return distance;
  }

  /** Collects a string's offset if it is the one to replace. */
  private boolean collect(long offset) throws InvalidElf {
    if (!image.hasText(offset, from)) {
      return false;
    }
    names.add(offset);
    return true;
  }

  /** The hash of the System V ABI, "Hash Table". */
  public static int hash(String name) {
    int hash = 0;
    for (byte character : name.getBytes(StandardCharsets.US_ASCII)) {
      hash = (hash << 4) + Byte.toUnsignedInt(character);
      int high = hash & 0xf0000000;
      hash ^= high >>> 24;
      hash &= ~high;
    }
    return hash;
  }
}
