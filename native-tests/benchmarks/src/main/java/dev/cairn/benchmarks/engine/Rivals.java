package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The libraries with which Cairn is compared, as far as they are there. MXNet is loaded once for the process.
 *
 * @param mxnet MXNet's library, if it has been fetched
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
