package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every Java block of the pages compiles: as a file if it has a class, else as lines of a method with the usual names
 * around it. A block that ends inside a statement with a body is closed.
 */
class DocsExamplesTest {
  /** Pages whose blocks run in a test of their own, or are rows and members of Cairn's own classes. */
  private static final Set<String> OTHERS = Set.of("planning.md", "recompute.md", "kernel.md", "operator.md",
    "custom-operator.md", "pass.md");
  /** Pages of adapters, whose blocks are parts of programs that the tests of an adapter compile and run. */
  private static final Map<String, String> ADAPTERS = Map.of("langchain4j.md", "langchain4j", "spring-boot.md",
    "spring-boot", "djl.md", "djl");
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern CLASS = Pattern.compile("public (?:final )?class (\\w+)");
  private static final int LEAST_EXAMPLES = 20;

  private static final String IMPORTS = """
    import dev.cairn.allocator.Alignment;
    import dev.cairn.allocator.bfc.BfcOptions;
    import dev.cairn.allocator.layer.TrimSchedule;
    import dev.cairn.allocator.trace.*;
    import dev.cairn.kernels.tensor.*;
    import dev.cairn.runtime.budget.*;
    import dev.cairn.runtime.session.*;
    import dev.cairn.runtime.value.*;
    import dev.cairn.runtime.autograd.*;
    import dev.cairn.runtime.cached.*;
    import dev.cairn.runtime.compile.*;
    import dev.cairn.runtime.engine.*;
    import dev.cairn.runtime.executor.*;
    import dev.cairn.runtime.expression.*;
    import dev.cairn.runtime.graph.*;
    import dev.cairn.runtime.memory.*;
    import dev.cairn.runtime.ndarray.*;
    import dev.cairn.runtime.ndarray.memory.ArrayMemory;
    import dev.cairn.runtime.onnx.*;
    import dev.cairn.runtime.operator.*;
    import dev.cairn.runtime.operator.gradient.*;
    import dev.cairn.runtime.pass.*;
    import dev.cairn.runtime.pass.gradient.*;
    import dev.cairn.runtime.pass.quantize.*;
    import dev.cairn.runtime.report.*;
    import dev.cairn.runtime.report.profile.*;
    import dev.cairn.runtime.resource.*;
    import dev.cairn.runtime.symbol.*;
    import dev.cairn.runtime.symbolfile.*;
    import dev.cairn.runtime.tensorfile.*;
    import dev.cairn.runtime.trace.*;
    import dev.cairn.runtime.train.*;
    import dev.cairn.runtime.train.checkpoint.*;
    import dev.cairn.runtime.train.data.*;
    import dev.cairn.runtime.train.initializer.*;
    import dev.cairn.runtime.train.layer.*;
    import dev.cairn.runtime.train.loss.*;
    import dev.cairn.runtime.train.metric.*;
    import dev.cairn.runtime.train.optimizer.*;
    import dev.cairn.runtime.train.schedule.*;
    import dev.cairn.runtime.zoo.*;
    import java.lang.foreign.*;
    import java.nio.file.*;
    import java.time.*;
    import java.util.*;
    import java.util.function.*;
    """;

  @TempDir
  private Path folder;

  @Test
  void everyJavaBlockCompiles() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path page : ProductSources.files(ProductSources.ROOT.resolve("docs"), ".md")) {
      String name = String.valueOf(page.getFileName());
      if (!OTHERS.contains(name) && !ADAPTERS.containsKey(name)) {
        for (String block : blocks(page)) {
          sources.add(source(page, block, sources.size()));
        }
      }
    }
    assertThat(sources).hasSizeGreaterThanOrEqualTo(LEAST_EXAMPLES);
    var messages = new StringWriter();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiled = compiler.getTask(messages, files, null, List.of("-proc:none", "-nowarn", "-classpath", System
        .getProperty("java.class.path"), "-d", folder.toString()), null, files.getJavaFileObjectsFromPaths(sources))
        .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("adapters")
  void everyBlockOfAnAdapterIsPartOfAProgramThatItsTestsRun(String name, String module) throws IOException {
    Path page = ProductSources.ROOT.resolve("docs/howto").resolve(name);
    Path tests = ProductSources.ROOT.resolve("adapters").resolve(module).resolve("src/test/java");
    var programs = new StringBuilder();
    for (Path file : ProductSources.files(tests, "Example.java")) {
      programs.append(withoutIndent(Files.readString(file)));
    }
    assertThat(blocks(page)).isNotEmpty().allSatisfy(
      block -> assertThat(programs.toString()).contains(withoutIndent(block)));
  }

  static Stream<Arguments> adapters() {
    return ADAPTERS.entrySet().stream().map(it -> Arguments.of(it.getKey(), it.getValue()));
  }

  private static String withoutIndent(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
  }

  private static List<String> blocks(Path page) throws IOException {
    return EXAMPLE.matcher(Files.readString(page)).results().map(it -> it.group(1)).toList();
  }

  /** A file in a folder of its own, named after the page, so that messages of the compiler lead there. */
  private Path source(Path page, String block, int number) throws IOException {
    Path home = Files.createDirectories(folder.resolve(page.getFileName() + "-" + number));
    var declared = CLASS.matcher(block);
    if (declared.find()) {
      String imports = block.startsWith("import ") ? "" : IMPORTS;
      return Files.writeString(home.resolve(declared.group(1) + ".java"), imports + block);
    }
    String name = "Example" + number;
    long open = block.chars().filter(it -> it == '{').count() - block.chars().filter(it -> it == '}').count();
    return Files.writeString(home.resolve(name + ".java"),
      IMPORTS + around(name, block + "}".repeat((int) open)));
  }

  /** A class with the names that pages use without declaring them. */
  private static String around(String name, String lines) {
    return """
      abstract class %s {
        Session session;
        Path model;
        byte[] modelBytes;
        Map<String, Tensor> inputs;
        float[] floats;
        float[] values;
        float[][] images;
        Arena arena;
        Tensor x, x0, y0, first, zeros;
        long[] classes;
        Layer net;
        Trainer trainer;
        List<Tensor> tokens;
        Result result;
        Channel channel;
        Response response;

        interface Channel { Channel writeAndFlush(Object message); void addListener(Consumer<Object> listener); }
        interface Response { byte[] body(); }
        static class MyApp {}
        static void use(Object value) {}

        void example() throws Exception {
          %s
        }
      }
      """.formatted(name, lines);
  }
}
