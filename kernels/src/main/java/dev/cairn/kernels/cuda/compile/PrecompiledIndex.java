package dev.cairn.kernels.cuda.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The index of a set of precompiled kernels. Its text form has a line with the compiler, then one line for each image.
 * The key of an image is the hash of source, headers and options, so code of outdated sources is never used.
 *
 * @param made the compiler's name, as text for users
 */
record PrecompiledIndex(String made, List<Image> images) {
  private static final String FORMAT = "cairn-kernels-1 ";

  PrecompiledIndex {
    images = List.copyOf(images);
  }

  /**
   * The code of one source, for one architecture and later ones.
   *
   * @param key the hash of source, headers and options
   * @param architecture the oldest architecture that can run it: 75
   */
  record Image(String key, int architecture, String source) {
    /** The name of the image's file. */
    String file() {
      return "%s-%s.%d.ptx".formatted(source.replace(".cu", ""), key.substring(0, 24), architecture);
    }
  }

  /** The key of a source with its options. */
  static String key(CudaProgram source, List<String> options) {
    List<String> parts = new ArrayList<>(options);
    parts.add(source.name());
    parts.add(source.text());
    source.headers().forEach((name, text) -> {
      parts.add(name);
      parts.add(text);
    });
    return CompiledKernelCache.key(parts);
  }

  /** {@code sm_90} as 90. */
  static int number(String architecture) {
    return Integer.parseInt(architecture.substring("sm_".length()));
  }

  /** The image of the newest architecture that this device can run. */
  Optional<Image> find(String key, String architecture) {
    int most = number(architecture);
    Image best = null;
    for (Image image : images) {
      boolean fits = image.key.equals(key) && image.architecture <= most;
      if (fits && (best == null || image.architecture > best.architecture)) {
        best = image;
      }
    }
    return Optional.ofNullable(best);
  }

  /** The sources that have an image for the device. */
  SortedSet<String> sourcesFor(String architecture) {
    int most = number(architecture);
    SortedSet<String> sources = new TreeSet<>();
    images.stream().filter(it -> it.architecture <= most).forEach(it -> sources.add(it.source));
    return sources;
  }

  String text() {
    var text = new StringBuilder(FORMAT).append(made).append('\n');
    images.forEach(it -> text.append(it.key).append(' ').append(it.architecture).append(' ').append(it.source).append(
      '\n'));
    return text.toString();
  }

  /** @throws IllegalArgumentException if the text is not an index of this format */
  static PrecompiledIndex parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().startsWith(FORMAT)) {
      throw new IllegalArgumentException("no index of precompiled kernels: lines=" + lines.size());
    }
    List<Image> images = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] parts = line.split(" ", -1);
      if (parts.length != 3 || !parts[0].matches("[0-9a-f]{64}") || !parts[1].matches("[0-9]{2,3}")) {
        throw new IllegalArgumentException("no line of an index of precompiled kernels: line=" + line);
      }
      images.add(new Image(parts[0], Integer.parseInt(parts[1]), parts[2]));
    }
    return new PrecompiledIndex(lines.getFirst().substring(FORMAT.length()), images);
  }
}
