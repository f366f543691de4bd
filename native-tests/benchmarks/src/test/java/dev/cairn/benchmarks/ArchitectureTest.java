package dev.cairn.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** The rooms of this module, from the top down: the list, the benchmarks, what they share. */
@AnalyzeClasses(packages = "dev.cairn.benchmarks", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.cairn.benchmarks";

  @ArchTest
  void layers(JavaClasses classes) {
    layeredArchitecture().consideringOnlyDependenciesInLayers()
      .layer("list").definedBy(ROOT)
      .layer("models").definedBy(ROOT + ".models..")
      .layer("written").definedBy(ROOT + ".written..")
      .layer("allocator").definedBy(ROOT + ".allocator")
      .layer("workload").definedBy(ROOT + ".allocator.workload..")
      .layer("arena").definedBy(ROOT + ".allocator.arena")
      .layer("fragmentation").definedBy(ROOT + ".fragmentation..")
      .layer("planning").definedBy(ROOT + ".planning..")
      .layer("mxnet").definedBy(ROOT + ".mxnet..")
      .layer("engine").definedBy(ROOT + ".engine..")
      .layer("imperative").definedBy(ROOT + ".imperative..")
      .layer("gpu").definedBy(ROOT + ".gpu..")
      .layer("training").definedBy(ROOT + ".training..")
      .layer("remat").definedBy(ROOT + ".remat..")
      .layer("harness").definedBy(ROOT + ".harness..")
      .whereLayer("list").mayOnlyAccessLayers("models", "allocator", "fragmentation", "planning", "mxnet", "engine",
        "imperative", "gpu", "training", "remat", "harness")
      .whereLayer("models").mayOnlyAccessLayers("written", "harness")
      .whereLayer("written").mayNotAccessAnyLayer()
      .whereLayer("allocator").mayOnlyAccessLayers("workload", "arena", "harness")
      .whereLayer("workload").mayOnlyAccessLayers("arena")
      .whereLayer("arena").mayNotAccessAnyLayer()
      .whereLayer("fragmentation").mayOnlyAccessLayers("harness")
      .whereLayer("planning").mayOnlyAccessLayers("arena", "harness")
      .whereLayer("mxnet").mayOnlyAccessLayers("harness")
      .whereLayer("engine").mayOnlyAccessLayers("mxnet", "harness")
      .whereLayer("imperative").mayOnlyAccessLayers("mxnet", "harness")
      .whereLayer("training").mayOnlyAccessLayers("written", "harness")
      .whereLayer("remat").mayOnlyAccessLayers("written", "harness")
      .whereLayer("gpu").mayOnlyAccessLayers("harness")
      .whereLayer("harness").mayNotAccessAnyLayer()
      .check(classes);
  }

  @ArchTest
  void theHarnessKnowsNothingThatIsMeasured(JavaClasses classes) {
    noClasses().that().resideInAPackage(ROOT + ".harness..")
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.runtime..", "dev.cairn.kernels..", "dev.cairn.allocator..", "ai.onnxruntime..")
      .check(classes);
  }

  @ArchTest
  void oneClassCallsTheAllocatorThatIsTimed(JavaClasses classes) {
    noClasses().that().resideInAPackage(ROOT + ".allocator..")
      .and()
      .doNotHaveSimpleName("CairnArena")
      .and()
      .doNotHaveSimpleName("CairnPool")
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.allocator.bfc..", "dev.cairn.allocator.source..")
      .check(classes);
  }

  @ArchTest
  void noCycles(JavaClasses classes) {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(classes);
  }

  @ArchTest
  void noDumpingGround(JavaClasses classes) {
    noClasses().should().haveNameMatching(".*(Utils?|Helpers?)").check(classes);
    noClasses().should().resideInAnyPackage("..util..", "..common..", "..misc..", "..helper..").check(classes);
  }
}
