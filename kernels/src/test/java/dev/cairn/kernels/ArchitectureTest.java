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
    .layer("family").definedBy(ROOT + "catalog.family")
    .layer("load").definedBy(ROOT + "cuda.load")
    .whereLayer("tensor").mayNotAccessAnyLayer()
    .whereLayer("attribute").mayOnlyAccessLayers("tensor")
    .whereLayer("device").mayNotAccessAnyLayer()
    .whereLayer("catalog").mayOnlyAccessLayers("tensor", "attribute", "device")
    .whereLayer("cpu").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog")
    .whereLayer("vector").mayOnlyAccessLayers("tensor", "attribute", "device", "catalog", "cpu")
    .whereLayer("load").mayNotAccessAnyLayer()
    .whereLayer("family").mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule EVERY_CLASS_HAS_A_ROOM = classes().should().resideInAnyPackage(ROOT + "tensor",
    ROOT + "attribute", ROOT + "device", ROOT + "catalog", ROOT + "catalog.family", ROOT + "cpu", ROOT + "cpu.vector",
    ROOT + "cuda.load");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("dev.cairn.kernels.(**)").should().beFreeOfCycles();

  /** Memory is passed in, so neither this library's allocators nor the platform's are called. */
  @ArchTest
  static final ArchRule KERNELS_NEITHER_ALLOCATE_NOR_KNOW_GRAPHS = noClasses().should().dependOnClassesThat()
    .resideInAnyPackage("dev.cairn.allocator..", "dev.cairn.runtime..");

  /** Loading hands names to the C library's loader, and holds no memory beyond a call. */
  @ArchTest
  static final ArchRule ONLY_LOADING_USES_ARENAS = noClasses().that().resideOutsideOfPackage(ROOT + "cuda.load")
    .should().dependOnClassesThat().haveFullyQualifiedName("java.lang.foreign.Arena");

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
