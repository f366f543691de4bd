package dev.cairn.runtime.onnx;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** The rooms of this module, from the top down, and who may see the file's messages. */
@AnalyzeClasses(packages = "dev.cairn.runtime.onnx", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "dev.cairn.runtime.onnx";

  @ArchTest
  void layers(JavaClasses classes) {
    layeredArchitecture().consideringOnlyDependenciesInLayers()
      .layer("front").definedBy(ROOT)
      .layer("decode").definedBy(ROOT + ".decode..")
      .layer("encode").definedBy(ROOT + ".encode..")
      .layer("expand").definedBy(ROOT + ".expand..")
      .layer("upgrade").definedBy(ROOT + ".upgrade..")
      .layer("notation").definedBy(ROOT + ".notation..")
      .layer("proto").definedBy(ROOT + ".proto..")
      .whereLayer("front").mayOnlyAccessLayers("decode", "encode")
      .whereLayer("decode").mayOnlyAccessLayers("expand", "upgrade", "notation", "proto")
      .whereLayer("encode").mayOnlyAccessLayers("notation", "proto")
      .whereLayer("expand").mayOnlyAccessLayers("upgrade", "notation")
      .whereLayer("upgrade").mayOnlyAccessLayers("notation")
      .whereLayer("notation").mayNotAccessAnyLayer()
      .whereLayer("proto").mayNotAccessAnyLayer()
      .check(classes);
  }

  @ArchTest
  void onlyDecodeAndEncodeSeeTheMessages(JavaClasses classes) {
    noClasses().that()
      .resideOutsideOfPackages(ROOT + ".decode..", ROOT + ".encode..", ROOT + ".proto..")
      .should()
      .dependOnClassesThat()
      .resideInAnyPackage(ROOT + ".proto..", "com.google.protobuf..")
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
