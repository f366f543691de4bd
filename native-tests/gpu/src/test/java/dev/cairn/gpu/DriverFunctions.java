package dev.cairn.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Which functions of the driver the driver layer calls, as its class files say. */
final class DriverFunctions {
  private static final String JCUDA = "jcuda/driver/JCudaDriver";
  private static final String THROUGH_JCUDA = "/dev/cairn/kernels/cuda/CudaDriver.class";
  private static final String PAST_JCUDA = "/dev/cairn/kernels/cuda/GraphNodeCalls.class";
  private static final Pattern FUNCTION = Pattern.compile("cu[A-Z]\\w+");

  private DriverFunctions() {}

  /** The names of the functions that the product calls, without versions, as the simulator counts them. */
  static List<String> called() {
    SortedSet<String> names = new TreeSet<>();
    for (PoolEntry entry : parse(THROUGH_JCUDA).constantPool()) {
      if (entry instanceof MemberRefEntry member && member.owner().asInternalName().equals(JCUDA)) {
        names.add(exported(member.name().stringValue()));
      }
    }
    for (PoolEntry entry : parse(PAST_JCUDA).constantPool()) {
      if (entry instanceof StringEntry text) {
        names.add(text.stringValue().replaceFirst("_v\\d+$", ""));
      }
    }
    names.removeIf(name -> !FUNCTION.matcher(name).matches());
    return List.copyOf(names);
  }

  /** JCuda binds one function under another name. */
  private static String exported(String method) {
    return method.equals("cuGraphInstantiate") ? "cuGraphInstantiateWithFlags" : method;
  }

  private static ClassModel parse(String resource) {
    try (InputStream in = DriverFunctions.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError("no such class: " + resource);
      }
      return ClassFile.of().parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
