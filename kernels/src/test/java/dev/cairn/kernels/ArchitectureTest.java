package dev.cairn.kernels;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which room of this module may use which. */
@AnalyzeClasses(packages = "dev.cairn.kernels", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.cairn.kernels.";

  @ArchTest
  static final ArchRule LAYERS_POINT_DOWNWARDS = layeredArchitecture().consideringOnlyDependenciesInLayers()
    .layer("tensor").definedBy(ROOT + "tensor")
    .layer("attribute").definedBy(ROOT + "attribute")
    .layer("device").definedBy(ROOT + "device")
    .layer("catalog").definedBy(ROOT + "catalog")
    .layer("cpu").definedBy(ROOT + "cpu")
    .layer("vector").definedBy(ROOT + "cpu.vector")
    .layer("text").definedBy(ROOT + "cpu.text")
    .layer("family").definedBy(ROOT + "catalog.family")
    .layer("elf").definedBy(ROOT + "cuda.load.elf")
    .layer("load").definedBy(ROOT + "cuda.load")
    .layer("natives").definedBy(ROOT + "load")
    .layer("onednn").definedBy(ROOT + "onednn")
    .layer("cuda").definedBy(ROOT + "cuda")
    .layer("compile").definedBy(ROOT + "cuda.compile")
    .layer("blas").definedBy(ROOT + "cuda.blas")
    .layer("dnn").definedBy(ROOT + "cuda.dnn")
    .layer("kernel").definedBy(ROOT + "cuda.kernel")
    .whereLayer("tensor").mayNotAccessAnyLayer()
    .whereLayer("attribute").mayOnlyAccessLayers("tensor")
    .whereLayer("device").mayNotAccessAnyLayer()
    .whereLayer("catalog").mayOnlyAccessLayers("tensor", "attribute", "device")
    .whereLayer("cpu").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog")
    .whereLayer("vector").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog", "cpu")
    .whereLayer("text").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog", "cpu")
    .whereLayer("natives").mayNotAccessAnyLayer()
    .whereLayer("onednn").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog", "natives", "cpu", "vector")
    .whereLayer("elf").mayNotAccessAnyLayer()
    .whereLayer("load").mayOnlyAccessLayers("natives", "elf")
    .whereLayer("cuda").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog", "load")
    .whereLayer("compile").mayOnlyAccessLayers("load", "cuda", "natives")
    .whereLayer("blas").mayOnlyAccessLayers("tensor", "load", "cuda", "compile")
    .whereLayer("dnn").mayOnlyAccessLayers("load", "cuda", "blas")
    .whereLayer("kernel").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog", "cuda", "compile", "blas",
      "dnn")
    .whereLayer("family").mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule EVERY_CLASS_HAS_A_ROOM = classes().should().resideInAnyPackage(ROOT + "tensor",
    ROOT + "attribute", ROOT + "device", ROOT + "catalog", ROOT + "catalog.family", ROOT + "cpu", ROOT + "cpu.vector",
    ROOT + "cpu.text",
    ROOT + "load", ROOT + "onednn", ROOT + "cuda", ROOT + "cuda.load", ROOT + "cuda.load.elf", ROOT + "cuda.compile",
    ROOT + "cuda.blas",
    ROOT + "cuda.dnn", ROOT
      + "cuda.kernel");

  /** So that another binding can replace JCuda. */
  @ArchTest
  static final ArchRule ONE_CLASS_EACH_CALLS_DRIVER_COMPILER_AND_CUBLAS = noClasses().that()
    .doNotHaveFullyQualifiedName(ROOT + "cuda.CudaDriver").and().doNotHaveFullyQualifiedName(ROOT
      + "cuda.compile.CudaCompiler")
    .and().doNotHaveFullyQualifiedName(ROOT + "cuda.blas.Cublas").and()
    .resideOutsideOfPackage(ROOT + "cuda.load").should().dependOnClassesThat().haveFullyQualifiedName(
      "jcuda.driver.JCudaDriver")
    .orShould().dependOnClassesThat().haveFullyQualifiedName("jcuda.nvrtc.JNvrtc")
    .orShould().dependOnClassesThat().haveFullyQualifiedName("jcuda.jcublas.JCublas2");

  /** JCuda is optional: without it the processor's kernels must load. */
  @ArchTest
  static final ArchRule ONLY_CUDA_USES_JCUDA = noClasses().that().resideOutsideOfPackage(ROOT + "cuda..").should()
    .dependOnClassesThat().resideInAPackage("jcuda..");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("dev.cairn.kernels.(**)").should().beFreeOfCycles();

  /** Memory is passed in, so neither this library's allocators nor the platform's are called. */
  @ArchTest
  static final ArchRule KERNELS_NEITHER_ALLOCATE_NOR_KNOW_GRAPHS = noClasses().should().dependOnClassesThat()
    .resideInAnyPackage("dev.cairn.allocator..", "dev.cairn.runtime..");

  /**
   * Loading and calls past JCuda hold no memory beyond a call, but for two numbers that each call to cuDNN reads, and
   * lists of arguments that oneDNN's primitives read; nor
   * do tries of kernels. Page-locked memory has a segment that ends.
   */
  @ArchTest
  static final ArchRule ONLY_CUDA_USES_ARENAS = noClasses().that().resideOutsideOfPackages(ROOT + "load", ROOT
    + "onednn", ROOT + "cuda", ROOT + "cuda.load", ROOT + "cuda.dnn").and()
    .doNotHaveFullyQualifiedName(ROOT + "cuda.kernel.TrialOperands").and()
    .doNotHaveFullyQualifiedName(ROOT + "cpu.vector.IntegerProbe").and()
    .doNotHaveFullyQualifiedName(ROOT + "cuda.kernel.ResultSample").should().dependOnClassesThat()
    .haveFullyQualifiedName("java.lang.foreign.Arena");

  /** Only the twins written with the Vector API need the incubator module, so the portable ones run without it. */
  @ArchTest
  static final ArchRule ONLY_VECTOR_TWINS_USE_THE_VECTOR_API = noClasses().that()
    .resideOutsideOfPackage(ROOT + "cpu.vector").should().dependOnClassesThat()
    .resideInAPackage("jdk.incubator.vector..");

  @ArchTest
  static final ArchRule LOGGING_IS_SLF4J = noClasses().should().dependOnClassesThat()
    .resideInAnyPackage("java.util.logging..", "org.apache.log4j..", "ch.qos.logback..")
    .orShould().dependOnClassesThat().haveFullyQualifiedName("java.lang.System$Logger");

  @ArchTest
  static final ArchRule NO_UNSAFE = noClasses().should().dependOnClassesThat()
    .resideInAnyPackage("sun.misc..", "jdk.internal..");

  @ArchTest
  static final ArchRule CLASSES_ARE_NAMED_FOR_WHAT_THEY_ARE = noClasses().should()
    .haveSimpleNameEndingWith("Utils").orShould().haveSimpleNameEndingWith("Util")
    .orShould().haveSimpleNameEndingWith("Helper").orShould().haveSimpleNameEndingWith("Helpers");

  @ArchTest
  static final ArchRule PACKAGES_ARE_NAMED_FOR_WHAT_THEY_HOLD = noClasses().should()
    .resideInAnyPackage("..util..", "..utils..", "..common..", "..misc..", "..helper..", "..helpers..");
}
