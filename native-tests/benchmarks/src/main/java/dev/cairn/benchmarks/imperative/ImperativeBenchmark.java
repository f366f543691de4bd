package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Arguments;
import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.mxnet.MxnetLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code imperative}: what calls on arrays cost. */
public final class ImperativeBenchmark implements Benchmark {
  static final String NOT_THERE = "not there";
  /** Where Maven puts it when it is told to fetch it. */
  private static final Path FETCHED = Path.of(System.getProperty("user.home"),
    ".m2/repository/ai/djl/mxnet/mxnet-native-mkl/1.9.1/mxnet-native-mkl-1.9.1-linux-x86_64.jar");

  @Override
  public String name() {
    return "imperative";
  }

  @Override
  public String description() {
    return "time, garbage and memory of calls on arrays, beside MXNet's in the same process";
  }

  @Override
  public String options() {
    return "[--quick] [--write] [--library mxnet-native-mkl-1.9.1-linux-x86_64.jar]";
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    boolean quick = false;
    boolean write = false;
    Path library = FETCHED;
    var given = new Arguments(arguments);
    while (given.hasNext()) {
      String option = given.next();
      switch (option) {
        case "--quick" -> quick = true;
        case "--write" -> write = true;
        case "--library" -> library = Path.of(given.value());
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    if (quick && write) {
      throw new IllegalArgumentException("only figures of a whole run are kept: --write goes without --quick");
    }
    Origin origin = Origin.here(name(), arguments);
    Optional<MxnetLibrary> mxnet = Files.exists(library) ? Optional.of(MxnetLibrary.load(library)) : Optional.empty();
    List<Section> sections = sections(mxnet, quick ? ImperativeEffort.QUICK : ImperativeEffort.FULL);
    Outcome outcome = outcome(sections, mxnet.isPresent());
    String text = page(origin, sections, mxnet.map(it -> "version " + it.version()).orElse(NOT_THERE), outcome);
    System.out.println(text);
    if (write) {
      Files.createDirectories(places.page(name()).getParent());
      Files.writeString(places.page(name()), text);
    }
    return outcome;
  }

  static List<Section> sections(Optional<MxnetLibrary> mxnet, ImperativeEffort effort) {
    return List.of(CallTable.measured(mxnet, effort), ArrayGarbageTable.measured(effort), ModelTable.measured(effort),
      TapeTable.measured(effort), LevelTable.measured(effort));
  }

  /** Passed when every figure that has a goal reaches it, and nothing is missing to compare with. */
  static Outcome outcome(List<Section> sections, boolean isMxnetThere) {
    Outcome all = Section.outcome(sections);
    return isMxnetThere ? all : new Outcome(all.figures() + " mxnet=not-there", all.goals() + ",mxnet-there", false);
  }

  static String page(Origin origin, List<Section> sections, String mxnet, Outcome outcome) {
    var text = new StringBuilder("""
      # Calls on arrays

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).
      What arrays are: [arrays](../arrays.md).

      %s
      - MXNet: %s
      - DJL's engines: not tried
      - Verdict: `%s`
      - Goals not reached: %s
      """.formatted(origin, mxnet, outcome.line("imperative"), Section.missed(sections)));
    sections.forEach(text::append);
    return text.toString();
  }
}
