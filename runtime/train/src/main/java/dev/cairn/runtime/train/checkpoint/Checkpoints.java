package dev.cairn.runtime.train.checkpoint;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
 * that goes back to an earlier iteration and writes again replaces what came after it. Other files of the folder stay
 * and do not count, also if they have such a name and are no checkpoint of that iteration.
 *
 * @param keep how many stay; at least 1
 */
public record Checkpoints(Path folder, int keep) {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final Pattern NAME = Pattern.compile("iteration-(\\d{9,19})\\.safetensors");

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
   * @throws FileAlreadyExistsException when the file's name is taken by what is no checkpoint of this iteration
   */
  public Path write(Checkpoint checkpoint) throws IOException {
    long iteration = checkpoint.number(Checkpoint.ITERATION);
    if (iteration < 0) {
      throw new IllegalArgumentException("iterations count from 0: iteration=" + iteration);
    }
    Files.createDirectories(folder);
    Path file = folder.resolve(name(iteration));
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isOwn(file, iteration)) {
      throw new FileAlreadyExistsException(file.toString(), null,
        "not a checkpoint of this iteration, so it is not replaced");
    }
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

  private static String name(long iteration) {
    return String.format(Locale.ROOT, "iteration-%09d.safetensors", iteration);
  }

  /** Whether {@link #write} wrote this file: a link, a folder and a file of another content are not. */
  private static boolean isOwn(Path file, long iteration) throws IOException {
    return String.valueOf(file.getFileName()).equals(name(iteration)) && Files.isRegularFile(file,
      LinkOption.NOFOLLOW_LINKS) && Checkpoint.isOf(iteration, file);
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
        long iteration = name.matches() ? number(name.group(1)) : -1;
        if (iteration >= 0 && isOwn(file, iteration)) {
          all.add(new Numbered(file, iteration));
        }
      }
    }
    all.sort(Comparator.comparingLong(Numbered::iteration));
    return all;
  }

  /** -1 for a number that no iteration has. */
  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
