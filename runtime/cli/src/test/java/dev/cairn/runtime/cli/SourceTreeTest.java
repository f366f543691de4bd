package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.cli.ProductSources.SourceFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A name stands for one type, over all modules. */
class SourceTreeTest {
  private static final Set<String> SHARED_NAMES = Set.of("Main");

  @Test
  void aSimpleNameStandsForOneType() throws IOException {
    Map<String, List<String>> types = ProductSources.withNativeTests().stream().collect(Collectors.groupingBy(
      SourceFile::simpleName, TreeMap::new, Collectors.mapping(SourceFile::type, Collectors.toList())));
    assertThat(types).hasSizeGreaterThan(1000);
    types.keySet().removeAll(SHARED_NAMES);
    types.values().removeIf(same -> same.size() == 1);
    assertThat(types).isEmpty();
  }
}
