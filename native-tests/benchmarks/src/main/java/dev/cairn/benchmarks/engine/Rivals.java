package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What Cairn is compared with, as far as it is there. MXNet is loaded once for the process.
 *
 * @param mxnet MXNet's library, where somebody has fetched it
 */
record Rivals(Optional<MxnetLibrary> mxnet) {
  static final String NOT_THERE = "not there";

  static Rivals found(Path library) {
    return new Rivals(Files.exists(library) ? Optional.of(MxnetLibrary.load(library)) : Optional.empty());
  }

  Optional<Contestant> engine() {
    return mxnet.map(MxnetContestant::new);
  }
}
