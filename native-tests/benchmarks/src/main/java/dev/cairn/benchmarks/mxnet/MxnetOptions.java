package dev.cairn.benchmarks.mxnet;

import dev.cairn.benchmarks.harness.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is compared.
 *
 * @param library the jar with MXNet's library
 * @param graphs how many random graphs
 */
record MxnetOptions(Path library, int graphs) {
  static final String USAGE = "--library mxnet-native-mkl-1.9.1-linux-x86_64.jar [--graphs N]";
  private static final int GRAPHS = 200;

  static MxnetOptions parse(List<String> given) {
    Optional<Path> library = Optional.empty();
    int graphs = GRAPHS;
    var arguments = new Arguments(given);
    while (arguments.hasNext()) {
      String option = arguments.next();
      switch (option) {
        case "--library" -> library = Optional.of(Path.of(arguments.value()));
        case "--graphs" -> graphs = arguments.number();
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    return new MxnetOptions(library.orElseThrow(() -> new IllegalArgumentException(
      "MXNet is no part of this project: say where its jar lies, --library")), graphs);
  }
}
