package dev.cairn.runtime.train.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latest checkpoints of a training, in a folder of their own: {@code iteration-000001200.safetensors}. A training
 * that goes back to an earlier iteration and writes again replaces what came after it.
 *
 * @param keep how many stay; at least 1
 */
public record Checkpoints(Path folder, int keep) {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final Pattern NAME = Pattern.compile("iteration-(\\d{1,18})\\.safetensors");

  /** A checkpoint in the folder. */
  private record Numbered(Path file, long iteration) {}

  public Checkpoints {
    if (keep < 1) {
      throw new IllegalArgumentException("at least one checkpoint stays: keep=" + keep);
    }
  }

  /**
   * Writes a checkpoint. Then deletes checkpoints of later iterations, which an abandoned training wrote, and the
   * oldest ones that are too many.
   *
   * @return the file, which {@link #latest} returns from now on
   */
  public Path write(Checkpoint checkpoint) throws IOException {
    Files.createDirectories(folder);
    long iteration = checkpoint.number(Checkpoint.ITERATION);
    Path file = folder.resolve(String.format(Locale.ROOT, "iteration-%09d.safetensors", iteration));
    checkpoint.write(file);
    List<Numbered> all = all();
    List<Numbered> later = all.stream().filter(it -> it.iteration > iteration).toList();
    if (!later.isEmpty()) {
      LOG.warn("deleting the checkpoints of an abandoned training: written={} later={}",
        file, later.stream().map(Numbered::iteration).toList());
    }
    List<Numbered> before = all.stream().filter(it -> it.iteration <= iteration && !it.file.equals(file)).toList();
    List<Numbered> old = before.subList(0, Math.max(0, before.size() + 1 - keep));
    for (Numbered it : Stream.concat(later.stream(), old.stream()).toList()) {
      Files.deleteIfExists(it.file);
    }
    return file;
  }

  /** The file of the latest checkpoint, if there is any. */
  public Optional<Path> latest() throws IOException {
    List<Numbered> all = all();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast().file);
  }

  /** By the number of the iteration, the earliest first. */
  private List<Numbered> all() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Numbered> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()) {
          all.add(new Numbered(file, Long.parseLong(name.group(1))));
        }
      }
    }
    all.sort(Comparator.comparingLong(Numbered::iteration));
    return all;
  }
}
