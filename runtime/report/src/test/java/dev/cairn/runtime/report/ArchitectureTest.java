package dev.cairn.runtime.report;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** Values go in and files come out: no allocator is touched. */
@AnalyzeClasses(packages = {"dev.cairn.runtime.report", "dev.cairn.runtime.tensorfile"},
  importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.cairn.runtime.report";
  private static final String TENSOR_FILES = "dev.cairn.runtime.tensorfile";

  @ArchTest
  void dumpsWorkOnValuesOnly(JavaClasses classes) {
    noClasses().that().resideInAPackage(ROOT + ".dump..").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.allocator.bfc..", "dev.cairn.allocator.source..", ROOT + ".trace..")
      .check(classes);
  }

  @ArchTest
  void filesOfTensorsKnowTensorsOnly(JavaClasses classes) {
    noClasses().that().resideInAPackage(TENSOR_FILES).should().dependOnClassesThat(
      resideInAPackage("dev.cairn..").and(not(resideInAnyPackage(TENSOR_FILES, ROOT, "dev.cairn.kernels.tensor",
        "dev.cairn.allocator"))))
      .check(classes);
    noClasses().that().resideInAPackage(ROOT + "..").should().dependOnClassesThat().resideInAPackage(TENSOR_FILES)
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
