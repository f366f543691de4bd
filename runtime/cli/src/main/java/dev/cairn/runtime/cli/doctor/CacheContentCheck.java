package dev.cairn.runtime.cli.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Checks that the files in the cache of natives are unchanged since Cairn put them there. */
final class CacheContentCheck implements Check {
  private static final String CHECK = "cached natives";

  @Override
  public Finding look(Host host) {
    List<Path> damaged = host.cache().damaged();
    if (damaged.isEmpty()) {
      return Finding.fine(CHECK, "whole", "natives=%d".formatted(host.cache().entries()));
    }
    return new Finding(Severity.NOTE, CHECK, "%d of the cached natives %s damaged".formatted(damaged.size(), damaged
      .size() == 1 ? "is" : "are"), "the checksum differs from the folder's name: " + damaged.stream().map(
        Path::toString).collect(Collectors.joining(", ")),
      "none: Cairn does not load it, and replaces it at the next use; if it happens again, check the disk");
  }
}
