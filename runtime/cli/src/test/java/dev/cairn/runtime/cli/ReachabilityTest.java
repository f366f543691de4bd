package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.cli.ProductSources.SourceFile;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.onnx.OnnxFormat;
import dev.cairn.runtime.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Users reach every class of the product: from {@link Session}, the command line, the Java examples of README and docs,
 * or a file that names the class (the launcher, the script that builds, a service, a setting of a logger, a step of the
 * build).
 */
class ReachabilityTest {
  /** What no user reaches, and why it stays: a package or a class, and the reason. */
  private static final Map<String, String> EXCEPTIONS = new LinkedHashMap<>();

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SIMPLE_NAME = Pattern.compile("\\b[A-Z]\\w+");
  private static final Pattern FULL_NAME = Pattern.compile("\\bdev\\.cairn(\\.[a-z]\\w*)+\\.[A-Z]\\w*");

  static {
    String constants = "constants only, which javac copies into the classes that read them";
    EXCEPTIONS.put("dev.cairn.kernels.attribute.Operators", constants);
    EXCEPTIONS.put("dev.cairn.runtime.memory.planner.nnvm.StorageId", constants);
    EXCEPTIONS.put("dev.cairn.runtime.report.plan.PictureStyle", constants);
  }

  private static List<SourceFile> sources = List.of();
  private static ClassReferences references = new ClassReferences();

  @BeforeAll
  static void readClassFiles() throws IOException {
    sources = ProductSources.all();
    references = ClassReferences.read(ProductSources.MODULES.stream()
      .map(module -> ProductSources.ROOT.resolve(module).resolve("target/classes")).toList());
    assertThat(references.types()).containsAll(sources.stream().map(SourceFile::type).toList());
  }

  @Test
  void usersReachEveryClass() throws IOException {
    Set<String> unreached = unreached();
    unreached.removeIf(type -> EXCEPTIONS.keySet().stream().anyMatch(type::startsWith));
    assertThat(unreached).as("wire these, or remove them with their tests").isEmpty();
  }

  @Test
  void everyExceptionIsNeeded() throws IOException {
    Set<String> unreached = unreached();
    assertThat(EXCEPTIONS.keySet()).allSatisfy(
      exception -> assertThat(unreached).anyMatch(type -> type.startsWith(exception)));
  }

  @Test
  void aTypeReachesNeitherItsImplementationsNorItsPermittedSubtypes() {
    String planner = NaivePlanner.class.getName();
    assertThat(references.reachedFrom(List.of(MemoryPlanner.class.getName()))).doesNotContain(planner);
    assertThat(references.reachedFrom(List.of("dev.cairn.runtime.session.GraphExecutor")))
      .doesNotContain("dev.cairn.runtime.session.StaticGraphExecutor");
    assertThat(references.reachedFrom(List.of(Session.class.getName())))
      .contains(planner, "dev.cairn.runtime.session.StaticGraphExecutor").doesNotContain(OnnxFormat.class.getName());
  }

  private static Set<String> unreached() throws IOException {
    List<String> roots = new ArrayList<>(List.of(Session.class.getName(), Main.class.getName()));
    roots.addAll(namedInExamples());
    roots.addAll(namedInFiles());
    Set<String> unreached = sources.stream().map(SourceFile::type).collect(Collectors.toCollection(TreeSet::new));
    unreached.removeAll(references.reachedFrom(roots));
    return unreached;
  }

  private static List<String> namedInExamples() throws IOException {
    List<Path> pages = new ArrayList<>(ProductSources.files(ProductSources.ROOT.resolve("docs"), ".md"));
    pages.add(ProductSources.ROOT.resolve("README.md"));
    Set<String> names = new TreeSet<>();
    for (Path page : pages) {
      EXAMPLE.matcher(Files.readString(page)).results().map(example -> example.group(1))
        .forEach(example -> SIMPLE_NAME.matcher(example).results().map(MatchResult::group).forEach(names::add));
    }
    return sources.stream().filter(source -> names.contains(source.simpleName())).map(SourceFile::type).toList();
  }

  private static List<String> namedInFiles() throws IOException {
    List<Path> files = new ArrayList<>(List.of(ProductSources.ROOT.resolve("cairn"), ProductSources.ROOT
      .resolve("build.sh")));
    for (String module : ProductSources.MODULES) {
      Path folder = ProductSources.ROOT.resolve(module);
      files.add(folder.resolve("pom.xml"));
      files.addAll(ProductSources.files(folder.resolve("src/main/resources/META-INF/services"), ""));
      files.addAll(ProductSources.files(folder.resolve("src/main/resources"), ".xml"));
    }
    List<String> names = new ArrayList<>();
    for (Path file : files) {
      FULL_NAME.matcher(Files.readString(file)).results().map(MatchResult::group).forEach(names::add);
    }
    return names;
  }
}
