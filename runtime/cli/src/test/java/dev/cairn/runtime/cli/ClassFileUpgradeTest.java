package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** On picocli's jar, whose classes are of Java 5. */
class ClassFileUpgradeTest {
  private static final int JAVA_8 = 52;

  @TempDir
  private Path folder;

  /** A link to the jar that is on the class path. */
  private Path link() throws Exception {
    Path jar = Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Files.createSymbolicLink(folder.resolve("picocli.jar"), jar);
  }

  private static List<? extends ZipEntry> classes(ZipFile file) {
    return Collections.list(file.entries()).stream().filter(it -> it.getName().startsWith("picocli/") && it.getName()
      .endsWith(".class")).toList();
  }

  private static int version(ZipFile file, ZipEntry entry) throws Exception {
    try (var in = file.getInputStream(entry)) {
      return in.readNBytes(8)[7];
    }
  }

  @Test
  void everyClassBecomesNewAndIsVerifiedByTheJvm() throws Exception {
    Path jar = link();
    Path original = jar.toRealPath();
    byte[] before = Files.readAllBytes(original);
    int count = ClassFileUpgrade.upgrade(jar, getClass().getClassLoader());
    assertThat(jar).isRegularFile().matches(it -> !Files.isSymbolicLink(it));
    assertThat(original).hasBinaryContent(before);
    try (var file = new ZipFile(jar.toFile());
      var old = new ZipFile(original.toFile());
      var loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      assertThat(Collections.list(file.entries()).stream().map(ZipEntry::getName)).containsExactlyElementsOf(Collections
        .list(old.entries()).stream().map(ZipEntry::getName).toList());
      assertThat(classes(file)).hasSize(count).hasSizeGreaterThan(200);
      for (ZipEntry entry : classes(file)) {
        assertThat(version(file, entry)).as(entry.getName()).isEqualTo(JAVA_8);
        Class<?> type = Class.forName(entry.getName().replace('/', '.').replaceFirst("\\.class$", ""), true, loader);
        assertThat(type.getClassLoader()).isSameAs(loader);
      }
      assertThat(usage(loader)).isEqualTo(usage(getClass().getClassLoader())).contains("-h");
    }
  }

  /** What picocli says about its own command. */
  private static String usage(ClassLoader loader) throws Exception {
    Object line = loader.loadClass("picocli.CommandLine").getConstructor(Object.class).newInstance(loader.loadClass(
      "picocli.AutoComplete$App"));
    var text = new StringWriter();
    line.getClass().getMethod("usage", PrintWriter.class).invoke(line, new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void aJarOfNewClassesStaysAsItIs() throws Exception {
    Path jar = link();
    assertThat(ClassFileUpgrade.upgrade(jar, getClass().getClassLoader())).isPositive();
    byte[] once = Files.readAllBytes(jar);
    assertThat(ClassFileUpgrade.upgrade(jar, getClass().getClassLoader())).isZero();
    assertThat(jar).hasBinaryContent(once);
  }

  @Test
  void aJarWithASignatureStaysAsItIs() throws Exception {
    Path jar = folder.resolve("signed.jar");
    try (var from = new ZipFile(link().toFile()); var to = new ZipOutputStream(Files.newOutputStream(jar))) {
      to.putNextEntry(new ZipEntry("META-INF/SOMEBODY.SF"));
      to.write("Signature-Version: 1.0".getBytes(StandardCharsets.UTF_8));
      ZipEntry one = classes(from).getFirst();
      to.putNextEntry(new ZipEntry(one.getName()));
      try (var in = from.getInputStream(one)) {
        in.transferTo(to);
      }
    }
    byte[] before = Files.readAllBytes(jar);
    assertThat(ClassFileUpgrade.upgrade(jar, getClass().getClassLoader())).isZero();
    assertThat(jar).hasBinaryContent(before);
  }
}
