package dev.cairn.allocator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The layers of this module, lowest first, and the house rules. */
class ArchitectureTest {
  private static final JavaClasses CLASSES = new ClassFileImporter()
    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
    .importPackages("dev.cairn.allocator");

  @Test
  void layersLookDownOnly() {
    layeredArchitecture().consideringOnlyDependenciesInLayers()
      .layer("root").definedBy("dev.cairn.allocator")
      .layer("source").definedBy("dev.cairn.allocator.source..")
      .layer("report").definedBy("dev.cairn.allocator.report..")
      .layer("bfc").definedBy("dev.cairn.allocator.bfc..")
      .layer("storage").definedBy("dev.cairn.allocator.storage..")
      .layer("layer").definedBy("dev.cairn.allocator.layer..")
      .layer("trace").definedBy("dev.cairn.allocator.trace..")
      .layer("flight").definedBy("dev.cairn.allocator.flight..")
      .layer("replay").definedBy("dev.cairn.allocator.replay..")
      .whereLayer("root").mayNotAccessAnyLayer()
      .whereLayer("source").mayOnlyAccessLayers("root")
      .whereLayer("report").mayOnlyAccessLayers("root")
      .whereLayer("bfc").mayOnlyAccessLayers("root", "source")
      .whereLayer("storage").mayOnlyAccessLayers("root", "source")
      .whereLayer("layer").mayOnlyAccessLayers("root")
      .whereLayer("trace").mayOnlyAccessLayers("root")
      .whereLayer("flight").mayOnlyAccessLayers("root")
      .whereLayer("replay").mayOnlyAccessLayers("root", "source", "bfc", "trace")
      .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.cairn.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void nothingElseOfCairnIsUsed() {
    noClasses().should().dependOnClassesThat().resideInAnyPackage("dev.cairn.kernels..", "dev.cairn.runtime..")
      .check(CLASSES);
  }

  @Test
  void onlyTheSourceUsesCuda() {
    noClasses().that().resideOutsideOfPackage("dev.cairn.allocator.source").should().dependOnClassesThat()
      .resideInAPackage("jcuda..").check(CLASSES);
  }

  @Test
  void onlyTheSourceUsesNetty() {
    noClasses().that().resideOutsideOfPackage("dev.cairn.allocator.source").should().dependOnClassesThat()
      .resideInAPackage("io.netty..").check(CLASSES);
  }

  @Test
  void thereIsNoDumpingGround() {
    classes().should().haveSimpleNameNotEndingWith("Utils").andShould().haveSimpleNameNotEndingWith("Util")
      .andShould().haveSimpleNameNotEndingWith("Helper").check(CLASSES);
    classes().should().resideOutsideOfPackages("..util..", "..common..", "..misc..", "..helper..").check(CLASSES);
  }
}
