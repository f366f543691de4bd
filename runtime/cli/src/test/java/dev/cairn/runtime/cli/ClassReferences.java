package dev.cairn.runtime.cli;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.PermittedSubclassesAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which types name which, by their class files. A nested type counts as its outermost one. A sealed type doesn't name
 * its subtypes, as an ordinary interface doesn't name its implementations.
 */
final class ClassReferences {
  /** A type in a descriptor or a signature. */
  private static final Pattern DESCRIBED = Pattern.compile("L(dev/cairn/[\\w/]+)");
  /** Writes a class file with a constant pool of what it still uses. */
  private static final ClassFile REWRITER = ClassFile.of(ConstantPoolSharingOption.NEW_POOL,
    StackMapsOption.DROP_STACK_MAPS);
  private static final ClassTransform WITHOUT_RELATIVES = ClassTransform.dropping(
    element -> element instanceof PermittedSubclassesAttribute || element instanceof InnerClassesAttribute
      || element instanceof NestMembersAttribute || element instanceof NestHostAttribute);

  private final Map<String, Set<String>> references = new HashMap<>();

  /** The references in all class files of these folders. */
  static ClassReferences read(List<Path> folders) throws IOException {
    ClassReferences read = new ClassReferences();
    for (Path folder : folders) {
      for (Path file : ProductSources.files(folder, ".class")) {
        read.add(REWRITER.parse(file));
      }
    }
    return read;
  }

  private void add(ClassModel model) {
    Set<String> named = references.computeIfAbsent(outermost(model.thisClass().asInternalName()),
      type -> new TreeSet<>());
    for (PoolEntry entry : REWRITER.parse(REWRITER.transformClass(model, WITHOUT_RELATIVES)).constantPool()) {
      if (entry instanceof ClassEntry type) {
        named.add(outermost(type.asInternalName()));
      } else if (entry instanceof Utf8Entry text) {
        DESCRIBED.matcher(text.stringValue()).results().forEach(type -> named.add(outermost(type.group(1))));
      }
    }
  }

  private static String outermost(String internalName) {
    return internalName.replaceFirst("\\$.*", "").replace('/', '.');
  }

  Set<String> types() {
    return Set.copyOf(references.keySet());
  }

  /** These types, those that they name, and so on. */
  Set<String> reachedFrom(Collection<String> roots) {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(roots);
    while (!next.isEmpty()) {
      String type = next.pop();
      if (references.containsKey(type) && reached.add(type)) {
        next.addAll(references.get(type));
      }
    }
    return reached;
  }
}
