package dev.cairn.kernels.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** Where a file lies in the memory of this process. */
public final class MappedFile {
  private static final Path MAPS = Path.of("/proc/self/maps");

  /** A range of addresses. */
  public record Part(long address, long bytes) {}

  private MappedFile() {}

  /** The parts of a file that nothing in this process can change: the system may drop them, and read them again. */
  public static List<Part> unchangingParts(Path file) throws IOException {
    return unchangingParts(maps(), file.toString());
  }

  /** The parts of a library's file that hold its variables. */
  public static List<Part> variables(Path file) throws IOException {
    return variables(maps(), file.toString());
  }

  private static List<String> maps() throws IOException {
    return Files.isReadable(MAPS) ? Files.readAllLines(MAPS) : List.of();
  }

  /** @param lines such as {@code 7f3f32800000-7f3f33611000 r--p 00000000 fe:00 16040394      /usr/lib/libm.so.6} */
  static List<Part> unchangingParts(List<String> lines, String file) {
    // The linker writes into data that is read-only afterwards; those parts come behind the code and constants.
    return parts(lines, file, (access, isFirst) -> access.equals("r-xp") || (access.equals("r--p") && isFirst));
  }

  /** @param lines as for {@link #unchangingParts} */
  static List<Part> variables(List<String> lines, String file) {
    return parts(lines, file, (access, _) -> access.equals("rw-p"));
  }

  /** @param isWanted gets the access to a part, and whether it would be the first of the result */
  private static List<Part> parts(List<String> lines, String file, BiPredicate<String, Boolean> isWanted) {
    List<Part> parts = new ArrayList<>();
    for (String line : lines) {
      if (line.endsWith(" " + file)) {
        int dash = line.indexOf('-');
        int space = line.indexOf(' ');
        long address = Long.parseUnsignedLong(line, 0, dash, 16);
        long end = Long.parseUnsignedLong(line, dash + 1, space, 16);
        if (isWanted.test(line.substring(space + 1, line.indexOf(' ', space + 1)), parts.isEmpty())) {
          parts.add(new Part(address, end - address));
        }
      }
    }
    return parts;
  }
}
