package dev.cairn.runtime.report.dump;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The formats of a memory dump, known by the ends of their files' names. */
public enum DumpFormat {
  /** Lines for people: the report, and every chunk. */
  TEXT(".txt"),
  /** Everything, in Cairn's own schema; the only one that is read again. */
  JSON(".json"),
  /** PyTorch's memory snapshot, for its viewers. */
  PICKLE(".pickle", ".pkl"),
  /** A page for browsers: every region as a strip, and the report. */
  HTML(".html");

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of strings
  private final List<String> extensions;

  DumpFormat(String... extensions) {
    this.extensions = List.of(extensions);
  }

  /**
   * The format of a file, by the end of its name.
   *
   * @throws IllegalArgumentException when no format has such files
   */
  public static DumpFormat of(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    for (DumpFormat format : values()) {
      if (format.extensions.stream().anyMatch(name::endsWith)) {
        return format;
      }
    }
    throw new IllegalArgumentException("unknown memory dump extension: file=%s extensions=%s".formatted(
      file, Stream.of(values()).flatMap(it -> it.extensions.stream()).collect(Collectors.joining(" "))));
  }
}
