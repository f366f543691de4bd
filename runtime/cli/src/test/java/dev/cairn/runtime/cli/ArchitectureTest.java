package dev.cairn.runtime.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** The rooms of this module, from the top down, and the only place that looks at the environment. */
@AnalyzeClasses(packages = "dev.cairn.runtime.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.cairn.runtime.cli";

  @ArchTest
  void layers(JavaClasses classes) {
    layeredArchitecture().consideringOnlyDependenciesInLayers()
      .layer("commands").definedBy(ROOT)
      .layer("option").definedBy(ROOT + ".option..")
      .layer("doctor").definedBy(ROOT + ".doctor..")
      .layer("text").definedBy(ROOT + ".text..")
      .whereLayer("commands").mayOnlyAccessLayers("option", "doctor", "text")
      .whereLayer("option").mayOnlyAccessLayers("text")
      .whereLayer("doctor").mayNotAccessAnyLayer()
      .whereLayer("text").mayNotAccessAnyLayer()
      .check(classes);
  }

  @ArchTest
  void theEnvironmentIsReadInOnePlace(JavaClasses classes) {
    noClasses().that().doNotHaveSimpleName("RuntimeOptions").should().callMethod(System.class, "getenv", String.class)
      .orShould()
      .callMethod(Boolean.class, "getBoolean", String.class).check(classes);
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
