package dev.cairn.runtime.train.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The latest checkpoints of a training, in a folder of their own: {@code iteration-000001200.safetensors}.
 *
 * @param keep how many stay; at least 1
 */
public record Checkpoints(Path folder, int keep) {
  private static final String PATTERN = "iteration-\\d+\\.safetensors";

  public Checkpoints {
    if (keep < 1) {
      throw new IllegalArgumentException("at least one checkpoint stays: keep=" + keep);
    }
  }

  /** Writes a checkpoint, then deletes the oldest ones that are too many. */
  public Path write(Checkpoint checkpoint) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(String.format(Locale.ROOT, "iteration-%09d.safetensors", checkpoint.number(
      Checkpoint.ITERATION)));
    checkpoint.write(file);
    List<Path> all = all();
    for (Path old : all.subList(0, Math.max(0, all.size() - keep))) {
      Files.deleteIfExists(old);
    }
    return file;
  }

  /** The file of the latest checkpoint, if there is any. */
  public Optional<Path> latest() throws IOException {
    List<Path> all = all();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  private List<Path> all() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(it -> String.valueOf(it.getFileName()).matches(PATTERN)).sorted().toList();
    }
  }
}
