package dev.cairn.runtime.memory;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rooms of this module, lowest first, and who may look into which. */
@AnalyzeClasses(packages = "dev.cairn", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule LAYERS_LOOK_DOWNWARDS = layeredArchitecture().consideringOnlyDependenciesInLayers()
    .layer("memory").definedBy("dev.cairn.runtime.memory") //
    .layer("order").definedBy("dev.cairn.runtime.memory.order") //
    .layer("remat").definedBy("dev.cairn.runtime.memory.remat") //
    .layer("remat.exact").definedBy("dev.cairn.runtime.memory.remat.exact") //
    .layer("remat.cut").definedBy("dev.cairn.runtime.memory.remat.cut") //
    .layer("remat.grappler").definedBy("dev.cairn.runtime.memory.remat.grappler") //
    .layer("remat.mincut").definedBy("dev.cairn.runtime.memory.remat.mincut") //
    .layer("remat.chain").definedBy("dev.cairn.runtime.memory.remat.chain") //
    .layer("remat.mirror").definedBy("dev.cairn.runtime.memory.remat.mirror") //
    .layer("remat.stream").definedBy("dev.cairn.runtime.memory.remat.stream") //
    .layer("remat.offload").definedBy("dev.cairn.runtime.memory.remat.offload") //
    .layer("remat.search").definedBy("dev.cairn.runtime.memory.remat.search") //
    .layer("planner").definedBy("dev.cairn.runtime.memory.planner") //
    .layer("planner.nnvm").definedBy("dev.cairn.runtime.memory.planner.nnvm") //
    .layer("planner.inductor").definedBy("dev.cairn.runtime.memory.planner.inductor..") //
    .layer("planner.improve").definedBy("dev.cairn.runtime.memory.planner.improve") //
    .layer("planner.search").definedBy("dev.cairn.runtime.memory.planner.search") //
    .whereLayer("memory").mayNotAccessAnyLayer() //
    .whereLayer("order").mayNotAccessAnyLayer() //
    .whereLayer("remat").mayOnlyAccessLayers("memory", "order") //
    .whereLayer("remat.exact").mayOnlyAccessLayers("remat", "order") //
    .whereLayer("remat.cut").mayOnlyAccessLayers("remat", "order") //
    .whereLayer("remat.grappler").mayOnlyAccessLayers("remat", "remat.offload", "order") //
    .whereLayer("remat.mincut").mayOnlyAccessLayers("remat.cut") //
    .whereLayer("remat.chain").mayOnlyAccessLayers("remat", "order") //
    .whereLayer("remat.mirror").mayOnlyAccessLayers("remat", "order") //
    .whereLayer("remat.stream").mayNotAccessAnyLayer() //
    .whereLayer("remat.offload").mayOnlyAccessLayers("remat", "order") //
    .whereLayer("remat.search").mayOnlyAccessLayers("remat", "remat.exact", "remat.cut", "remat.chain", "order") //
    .whereLayer("planner").mayOnlyAccessLayers("memory") //
    .whereLayer("planner.nnvm").mayOnlyAccessLayers("memory") //
    .whereLayer("planner.inductor").mayOnlyAccessLayers("memory", "planner") //
    .whereLayer("planner.improve").mayOnlyAccessLayers("memory", "planner") //
    .whereLayer("planner.search").mayOnlyAccessLayers("memory", "planner", "planner.improve");

  @ArchTest
  static final ArchRule USABLE_BY_ITSELF = classes().should().onlyDependOnClassesThat()
    .resideInAnyPackage("dev.cairn.runtime.memory..", "java..", "org.jspecify.annotations");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("dev.cairn.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NO_DUMPING_GROUND = noClasses().should().resideInAnyPackage("..util..", "..common..",
    "..misc..", "..helper..").orShould().haveSimpleNameEndingWith("Utils").orShould().haveSimpleNameEndingWith("Util")
    .orShould().haveSimpleNameEndingWith("Helper");
}
