package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.cli.ProductSources.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/api.md} lists what users call; the pages of all other packages say that they are internal. */
class ApiPageTest {
  private static final Pattern CLASS = Pattern.compile("`([a-z.0-9]+\\.[A-Z]\\w+)`");
  private static final String INTERNAL = "Internal:";

  private static Set<String> listed() throws IOException {
    return CLASS.matcher(Files.readString(ProductSources.ROOT.resolve("docs/api.md"))).results().map(it -> it.group(1))
      .map(name -> name.startsWith("dev.") ? name : "dev.cairn.runtime." + name)
      .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String packageOf(String type) {
    return type.substring(0, type.lastIndexOf('.'));
  }

  @Test
  void itsClassesArePublic() throws IOException {
    Set<String> listed = listed();
    assertThat(listed).hasSizeGreaterThan(50);
    Set<String> found = new TreeSet<>();
    for (SourceFile file : ProductSources.all()) {
      if (listed.contains(file.type()) && Files.readString(file.path()).contains("\npublic ")) {
        found.add(file.type());
      }
    }
    assertThat(found).isEqualTo(listed);
  }

  @Test
  void allOtherPackagesSayThatTheyAreInternal() throws IOException {
    Set<String> ofUsers = listed().stream().map(ApiPageTest::packageOf).collect(Collectors.toSet());
    Set<String> wrong = new TreeSet<>();
    for (SourceFile file : ProductSources.all()) {
      String name = packageOf(file.type());
      Path page = file.path().resolveSibling("package-info.java");
      boolean isInternal = Files.exists(page) && Files.readString(page).contains(INTERNAL);
      if (isInternal == ofUsers.contains(name)) {
        wrong.add(name);
      }
    }
    assertThat(wrong).isEmpty();
  }
}
