package dev.cairn.runtime.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites class files of Java 5 as class files of Java 8, which have stack maps, in the jars of a folder. A JVM puts
 * no class without stack maps into an AOT cache: it would read and verify picocli's 170 classes in every start. The
 * script that builds runs this before it makes the cache.
 */
final class ClassFileUpgrade {
  private static final int LEAST = ClassFile.JAVA_6_VERSION;
  private static final int NEW = ClassFile.JAVA_8_VERSION;
  private static final int MAJOR_VERSION_AT = 6;

  private final ClassFile files;
  private int upgraded;

  private ClassFileUpgrade(ClassLoader loader) {
    files = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS, ClassFile.DeadCodeOption.KEEP_DEAD_CODE,
      ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)));
  }

  /** Upgrades the jars of the folder that the only argument names; their classes are on the class path. */
  public static void main(String[] arguments) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
      for (Path jar : jars) {
        int count = upgrade(jar, ClassFileUpgrade.class.getClassLoader());
        if (count > 0) {
          System.out.printf("%s: %d classes%n", jar.getFileName(), count);
        }
      }
    }
  }

  /**
   * Replaces a jar that has old classes and no signature. A link to a jar is replaced, too, and not the jar behind it.
   *
   * @param loader finds the classes that those of the jar extend
   * @return how many classes were upgraded
   */
  static int upgrade(Path jar, ClassLoader loader) throws IOException {
    var upgrade = new ClassFileUpgrade(loader);
    Path part = jar.resolveSibling(jar.getFileName() + ".part");
    try (ZipFile old = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> entries = Collections.list(old.entries());
      if (!hasOldClasses(old, entries) || entries.stream().anyMatch(it -> it.getName().matches("META-INF/.*\\.SF"))) {
        return 0;
      }
      try (var out = new ZipOutputStream(Files.newOutputStream(part))) {
        for (ZipEntry entry : entries) {
          var copy = new ZipEntry(entry.getName());
          copy.setTime(entry.getTime());
          out.putNextEntry(copy);
          out.write(upgrade.upgraded(entry.getName(), read(old, entry)));
        }
      }
    }
    Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
    return upgrade.upgraded;
  }

  private static byte[] read(ZipFile file, ZipEntry entry) throws IOException {
    try (InputStream in = file.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private static boolean hasOldClasses(ZipFile file, List<? extends ZipEntry> entries) throws IOException {
    for (ZipEntry entry : entries) {
      if (isClass(entry.getName())) {
        try (InputStream in = file.getInputStream(entry)) {
          if (isOld(in.readNBytes(MAJOR_VERSION_AT + 2))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** A class outside of META-INF: classes of multi-release jars are new enough. */
  private static boolean isClass(String name) {
    return name.endsWith(".class") && !name.startsWith("META-INF/");
  }

  private static boolean isOld(byte[] file) {
    return ((file[MAJOR_VERSION_AT] & 0xFF) << 8) + (file[MAJOR_VERSION_AT + 1] & 0xFF) < LEAST;
  }

  /** The same bytes where the class is new, or where no stack maps can be made for it. */
  private byte[] upgraded(String name, byte[] file) {
    if (!isClass(name) || !isOld(file)) {
      return file;
    }
    try {
      ClassModel old = files.parse(file);
      byte[] changed = files.transformClass(old, ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
        .andThen((builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(NEW, 0);
          } else {
            builder.with(element);
          }
        }));
      if (files.verify(changed).isEmpty()) {
        upgraded++;
        return changed;
      }
    } catch (IllegalArgumentException e) {
      // A class that it extends is not there.
    }
    return file;
  }
}
