package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.cli.ProductSources.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A package is small enough to survey, and a name stands for one type, over all modules. */
class SourceTreeTest {
  private static final int MOST_FILES = 30;
  private static final String REASON = "More than 30 files, because ";
  private static final Set<String> SHARED_NAMES = Set.of("Main");

  @Test
  void onlyALargePackageSaysWhyItIsLarge() throws IOException {
    Map<Path, List<SourceFile>> packages = ProductSources.withNativeTests().stream()
      .collect(Collectors.groupingBy(file -> file.path().resolveSibling("package-info.java")));
    assertThat(packages).hasSizeGreaterThan(50);
    for (Map.Entry<Path, List<SourceFile>> entry : packages.entrySet()) {
      Path map = entry.getKey();
      int count = entry.getValue().size();
      boolean hasReason = Files.exists(map) && Files.readString(map).contains(REASON);
      assertThat(hasReason).as("%s with %d files has the sentence \"%s...\"", map, count, REASON)
        .isEqualTo(count > MOST_FILES);
    }
  }

  @Test
  void aSimpleNameStandsForOneType() throws IOException {
    Map<String, List<String>> types = ProductSources.withNativeTests().stream().collect(Collectors.groupingBy(
      SourceFile::simpleName, TreeMap::new, Collectors.mapping(SourceFile::type, Collectors.toList())));
    types.keySet().removeAll(SHARED_NAMES);
    types.values().removeIf(same -> same.size() == 1);
    assertThat(types).isEmpty();
  }
}
