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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code imperative}: what calls on arrays cost. */
public final class ImperativeBenchmark implements Benchmark {
  private static final String NOT_THERE = "not there";
  /** The folder in which Maven puts the libraries that it fetches. */
  private static final Path REPOSITORY = Path.of(System.getProperty("user.home"), ".m2/repository");
  private static final Path FETCHED = REPOSITORY.resolve(
    "ai/djl/mxnet/mxnet-native-mkl/1.9.1/mxnet-native-mkl-1.9.1-linux-x86_64.jar");
  /** The libraries to compare with, by the names of their figures. */
  private static final List<String> PEERS = List.of("mxnet", "djl");

  @Override
  public String name() {
    return "imperative";
  }

  @Override
  public String description() {
    return "time, garbage and memory of calls on arrays, beside MXNet's and DJL's in the same process";
  }

  @Override
  public String options() {
    return "[--quick] [--write] [--library mxnet-native-mkl-1.9.1-linux-x86_64.jar] [--repository FOLDER]";
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    boolean quick = false;
    boolean write = false;
    Path library = FETCHED;
    Path repository = REPOSITORY;
    var given = new Arguments(arguments);
    while (given.hasNext()) {
      String option = given.next();
      switch (option) {
        case "--quick" -> quick = true;
        case "--write" -> write = true;
        case "--library" -> library = Path.of(given.value());
        case "--repository" -> repository = Path.of(given.value());
        default -> throw new IllegalArgumentException("no such option: option=" + option);
      }
    }
    if (quick && write) {
      throw new IllegalArgumentException("only figures of a whole run are kept: --write goes without --quick");
    }
    Origin origin = Origin.here(name(), arguments);
    Map<String, PeerAdditions> peers = new LinkedHashMap<>();
    Map<String, String> versions = new LinkedHashMap<>();
    try {
      open(library, repository, peers, versions);
      List<Section> sections = sections(peers, quick ? ImperativeEffort.QUICK : ImperativeEffort.FULL);
      Outcome outcome = outcome(sections, versions);
      String text = page(origin, sections, versions, outcome);
      System.out.println(text);
      if (write) {
        Files.createDirectories(places.page(name()).getParent());
        Files.writeString(places.page(name()), text);
      }
      return outcome;
    } finally {
      peers.values().forEach(PeerAdditions::close);
    }
  }

  private static void open(Path library, Path repository, Map<String, PeerAdditions> peers,
    Map<String, String> versions) {
    if (Files.exists(library)) {
      MxnetLibrary mxnet = MxnetLibrary.load(library);
      peers.put("mxnet", new MxnetAdditions(mxnet));
      versions.put("mxnet", "MXNet, version " + mxnet.version());
    }
    DjlAdditions.open(repository).ifPresent(it -> {
      peers.put("djl", it);
      versions.put("djl", DjlAdditions.NAME);
    });
  }

  static List<Section> sections(Map<String, PeerAdditions> peers, ImperativeEffort effort) {
    return List.of(CallTable.measured(peers, effort), FusedTable.measured(effort), ArrayGarbageTable.measured(effort),
      ModelTable.measured(effort),
      TapeTable.measured(effort), LevelTable.measured(effort));
  }

  /** Passed when every figure that has a goal reaches it, and nothing is missing to compare with. */
  static Outcome outcome(List<Section> sections, Map<String, String> versions) {
    Outcome all = Section.outcome(sections);
    var figures = new StringBuilder(all.figures());
    var goals = new StringBuilder(all.goals());
    boolean passed = all.passed();
    for (String peer : PEERS) {
      if (!versions.containsKey(peer)) {
        figures.append(" ").append(peer).append("=not-there");
        goals.append(",").append(peer).append("-there");
        passed = false;
      }
    }
    return new Outcome(figures.toString(), goals.toString(), passed);
  }

  /** @param versions what was compared with, by the names of its figures */
  static String page(Origin origin, List<Section> sections, Map<String, String> versions, Outcome outcome) {
    var text = new StringBuilder("""
      # Calls on arrays

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).
      What arrays are: [arrays](../arrays.md).

      %s
      """.formatted(origin));
    PEERS.forEach(it -> text.append("- `%s`: %s\n".formatted(it, versions.getOrDefault(it, NOT_THERE))));
    text.append("- Verdict: `%s`\n- Goals not reached: %s\n".formatted(outcome.line("imperative"), Section.missed(
      sections)));
    sections.forEach(text::append);
    return text.toString();
  }
}
