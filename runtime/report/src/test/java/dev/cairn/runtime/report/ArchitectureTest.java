package dev.cairn.runtime.report;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** Values go in and files come out: no allocator is touched. */
@AnalyzeClasses(packages = "dev.cairn.runtime.report", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.cairn.runtime.report";

  @ArchTest
  void dumpsWorkOnValuesOnly(JavaClasses classes) {
    noClasses().that().resideInAPackage(ROOT + ".dump..").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.allocator.bfc..", "dev.cairn.allocator.source..", ROOT + ".trace..")
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
