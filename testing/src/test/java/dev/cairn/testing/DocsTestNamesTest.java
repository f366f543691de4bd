package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that the pages name are there; and the pages on arrays, symbols and training leave no case out. It reads the
 * sources of all modules, and stands in the first of them, so that a test with another name is found at once.
 */
class DocsTestNamesTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", ".."));
  private static final Path DOCS = ROOT.resolve("docs");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern CLASS = Pattern.compile("([A-Z]\\w*Test)(?:\\.(\\w+))?");
  private static final Pattern METHOD = Pattern.compile("[a-z]+[0-9]*[A-Z]\\w+");
  private static final String ANNOTATED = "@(?:Test|ParameterizedTest)\\b(?:(?!\\n\\n)[\\s\\S])*?void ";
  private static final Pattern RULE = Pattern
    .compile("[A-Z]-?\\d+(?: to [A-Z]-?\\d+)?|1\\.9\\.1|`[^`]*`");
  private static final Pattern NUMBERS = Pattern.compile(
    "(?<![\\w.-])(?:(cases?|defects?)|(\\d+)(?:\\s*(?:–|to)\\s*(\\d+))?(?![\\w.]))");
  private static final int CASES = 174;
  private static final int DEFECTS = 23;

  /** The text of each class that is a test, by its simple name. */
  private static final Map<String, String> TESTS = new HashMap<>();

  @BeforeAll
  static void readTests() throws IOException {
    for (Path file : files(ROOT, "Test.java")) {
      String name = file.getFileName().toString().replace(".java", "");
      TESTS.merge(name, Files.readString(file), String::concat);
    }
    assertThat(TESTS).hasSizeGreaterThan(500);
  }

  /** All files of sources and pages below a folder whose names end so. */
  private static List<Path> files(Path folder, String end) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(folder, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
        return each.endsWith("target") || each.endsWith(".git")
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (file.toString().endsWith(end)) {
          found.add(file);
        }
        return FileVisitResult.CONTINUE;
      }
    });
    found.sort(null);
    return found;
  }

  private static List<String> rows(Path page) throws IOException {
    return Files.readAllLines(page).stream().filter(line -> line.startsWith("|")).toList();
  }

  /** Behind a test's name in a row of a table, a name alone is a method of that test. */
  @Test
  void namedTestsAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (Path page : files(DOCS, ".md")) {
      for (String line : Files.readAllLines(page)) {
        boolean isRow = line.startsWith("|");
        String test = null;
        for (String word : QUOTED.matcher(line).results().map(it -> it.group(1)).toList()) {
          Matcher whole = CLASS.matcher(word);
          boolean isClass = whole.matches();
          test = isClass ? whole.group(1) : test;
          String method = isClass ? whole.group(2) : word;
          boolean isName = isClass || (isRow && test != null && METHOD.matcher(word).matches());
          named += isName ? 1 : 0;
          if (isName && !isThere(test, method)) {
            missing.add(page + ": " + word);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(150);
  }

  /** @param method null for any test of the class */
  private static boolean isThere(@Nullable String test, @Nullable String method) {
    String text = test == null ? null : TESTS.get(test);
    return text != null && (method == null || Pattern.compile(ANNOTATED + method + "\\(").matcher(text).find());
  }

  @Test
  void aMethodThatIsNoTestIsFound() {
    assertThat(isThere("DocsTestNamesTest", "aMethodThatIsNoTestIsFound")).isTrue();
    assertThat(isThere("DocsTestNamesTest", null)).isTrue();
    assertThat(isThere("DocsTestNamesTest", "rows")).isFalse();
    assertThat(isThere("DocsTestNamesTest", "readTests")).isFalse();
    assertThat(isThere("DocsTestNamesTestTest", null)).isFalse();
  }

  /** A row has the numbers of its cases and defects in front, and a test or a reason. */
  @Test
  void everyCaseAndDefectHasATestOrAReason() throws IOException {
    var cases = new TreeSet<Integer>();
    var defects = new TreeSet<Integer>();
    for (String page : List.of("arrays.md", "symbols.md", "training.md")) {
      for (String row : rows(DOCS.resolve(page))) {
        String[] cells = row.split("\\|", -1);
        boolean hasAnswer = cells.length > 2 && (row.contains("not apply") || CLASS.matcher(cells[2]).find());
        Matcher numbers = NUMBERS.matcher(hasAnswer ? RULE.matcher(cells[1]).replaceAll("") : "");
        TreeSet<Integer> kind = cases;
        while (numbers.find()) {
          if (numbers.group(1) != null) {
            kind = numbers.group(1).startsWith("d") ? defects : cases;
          } else {
            int first = Integer.parseInt(numbers.group(2));
            int last = numbers.group(3) == null ? first : Integer.parseInt(numbers.group(3));
            IntStream.rangeClosed(first, last).forEach(kind::add);
          }
        }
      }
    }
    assertThat(cases).containsAll(IntStream.rangeClosed(1, CASES).boxed().toList());
    assertThat(defects).containsAll(IntStream.rangeClosed(1, DEFECTS).boxed().toList());
  }
}
