package dev.cairn.runtime.train;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rooms of this module, lowest first, and who may look into which. */
@AnalyzeClasses(packages = "dev.cairn.runtime.train", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.cairn.runtime.train";

  @ArchTest
  static final ArchRule LAYERS_LOOK_DOWNWARDS = layeredArchitecture().consideringOnlyDependenciesInLayers()
    .layer("initializer").definedBy(ROOT + ".initializer") //
    .layer("layer").definedBy(ROOT + ".layer") //
    .layer("loss").definedBy(ROOT + ".loss") //
    .layer("metric").definedBy(ROOT + ".metric") //
    .layer("data").definedBy(ROOT + ".data") //
    .layer("schedule").definedBy(ROOT + ".schedule") //
    .layer("optimizer").definedBy(ROOT + ".optimizer") //
    .layer("checkpoint").definedBy(ROOT + ".checkpoint") //
    .withOptionalLayers(true) //
    .whereLayer("initializer").mayNotAccessAnyLayer() //
    .whereLayer("layer").mayOnlyAccessLayers("initializer") //
    .whereLayer("loss").mayNotAccessAnyLayer() //
    .whereLayer("metric").mayNotAccessAnyLayer() //
    .whereLayer("data").mayNotAccessAnyLayer() //
    .whereLayer("schedule").mayNotAccessAnyLayer() //
    .whereLayer("optimizer").mayOnlyAccessLayers("schedule") //
    .whereLayer("checkpoint").mayNotAccessAnyLayer();

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NO_DUMPING_GROUND = noClasses().should().resideInAnyPackage("..util..", "..common..",
    "..misc..", "..helper..").orShould().haveSimpleNameEndingWith("Utils").orShould().haveSimpleNameEndingWith("Util")
    .orShould().haveSimpleNameEndingWith("Helper");

  /** Layers, losses and metrics are written once, over expressions: none of them may know how one is computed. */
  @ArchTest
  static final ArchRule LAYERS_KNOW_NO_KERNELS = noClasses().that().resideInAnyPackage(ROOT + ".layer", ROOT + ".loss",
    ROOT + ".optimizer").should().dependOnClassesThat()
    .resideInAnyPackage("dev.cairn.kernels.cpu..", "dev.cairn.kernels.catalog..");
}
