package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tests that pages name exist, and the tables of upstream's cases are complete. */
class NamedTestsTest {
  private static final List<String> TABLES = List.of("arrays.md", "symbols.md", "training.md");
  private static final int CASES = 174;
  private static final int DEFECTS = 23;
  private static final int LEAST_NAMES = 150;

  /** A class of tests with perhaps a method, or a method of the class before it. */
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*Test)(?:\\.([a-z]\\w*))?`");
  private static final Pattern METHOD_OF_LAST = Pattern.compile("`([a-z][A-Za-z0-9]{8,})`");
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:\\s*(?:–|to)\\s*(\\d+))?");
  /** Names of rules and of code, whose numbers are none of cases. */
  private static final Pattern NO_CASES = Pattern
    .compile("[A-Z]-\\d+( to [A-Z]-\\d+)?|issue \\d+ item \\d+|`[^`]*`|:.*");

  private static final Map<String, List<Path>> SOURCES = new HashMap<>();

  @BeforeAll
  static void findTests() throws IOException {
    Files.walkFileTree(ProductSources.ROOT, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        String name = folder.getFileName().toString();
        return name.equals("target") || name.startsWith(".git")
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        String name = file.getFileName().toString();
        if (name.endsWith("Test.java")) {
          SOURCES.computeIfAbsent(name.substring(0, name.length() - ".java".length()), _ -> new ArrayList<>())
            .add(file);
        }
        return FileVisitResult.CONTINUE;
      }
    });
  }

  @Test
  void everyNamedTestExists() throws IOException {
    List<String> missing = new ArrayList<>();
    int names = 0;
    for (Path page : pages()) {
      for (String line : Files.readAllLines(page)) {
        List<MatchResult> found = NAME.matcher(line).results().toList();
        names += found.size();
        found.stream().filter(it -> !exists(it.group(1), it.group(2))).forEach(it -> missing.add("%s: %s".formatted(page
          .getFileName(), it.group())));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(names).isGreaterThan(LEAST_NAMES);
  }

  /** Behind {@code `SomeTest.method`}, a name alone is another method of that class. */
  @Test
  void everyNamedMethodOfTheClassBeforeItExists() throws IOException {
    List<String> missing = new ArrayList<>();
    int names = 0;
    for (String table : TABLES) {
      for (String line : rows(table)) {
        for (MatchResult first : NAME.matcher(line).results().filter(it -> it.group(2) != null).toList()) {
          String rest = line.substring(first.end()).split("`[A-Z]", 2)[0];
          for (MatchResult method : METHOD_OF_LAST.matcher(rest).results().toList()) {
            names++;
            if (!exists(first.group(1), method.group(1))) {
              missing.add("%s: %s.%s".formatted(table, first.group(1), method.group(1)));
            }
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(names).isPositive();
  }

  @Test
  void theTablesHaveEveryCaseAndDefect() throws IOException {
    Set<Integer> cases = new TreeSet<>();
    Set<Integer> defects = new TreeSet<>();
    for (String table : TABLES) {
      for (String line : rows(table)) {
        String[] cells = line.split("\\|", -1);
        boolean isShown = Stream.of("Test", "run.sh", "not ours").anyMatch(line::contains) || cells[1].contains(
          "not apply");
        String[] parts = NO_CASES.matcher(cells[1]).replaceAll("").split("defects?", 2);
        if (isShown) {
          addNumbers(parts[0], cases);
          addNumbers(parts.length > 1 ? parts[1] : "", defects);
        }
      }
    }
    assertThat(cases).containsAll(upTo(CASES));
    assertThat(defects).containsAll(upTo(DEFECTS));
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.list(ProductSources.ROOT.resolve("docs"))) {
      return all.filter(it -> it.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** Rows of tables. */
  private static List<String> rows(String table) throws IOException {
    return Files.readAllLines(ProductSources.ROOT.resolve("docs").resolve(table)).stream().filter(it -> it.startsWith(
      "|")).toList();
  }

  private static boolean exists(String test, String method) {
    return SOURCES.getOrDefault(test, List.of()).stream().anyMatch(file -> method == null || declares(file, method));
  }

  private static boolean declares(Path file, String method) {
    try {
      return Pattern.compile("\\b%s\\(".formatted(method)).matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addNumbers(String text, Set<Integer> to) {
    NUMBERS.matcher(text).results().forEach(it -> to.addAll(IntStream.rangeClosed(Integer.parseInt(it.group(1)), Integer
      .parseInt(it.group(2) == null ? it.group(1) : it.group(2))).boxed().toList()));
  }

  private static Collection<Integer> upTo(int last) {
    return IntStream.rangeClosed(1, last).boxed().toList();
  }
}
